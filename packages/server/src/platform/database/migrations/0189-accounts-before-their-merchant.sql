-- florin: expand
-- A cell gets the account at a processor of a merchant who moves there before it gets the merchant.
alter table processor_accounts drop constraint processor_accounts_merchant_id_fkey;
