-- florin: expand
-- People may be in another database than memberships. A link to a membership that is gone is unusable: `accountLinkOf`
-- looks for it.
alter table account_links drop constraint account_links_merchant_id_membership_id_fkey;
