-- Links to the customer's own page are signed with the epoch of their subscription: an epoch later, all that were made before
-- are revoked. Null until that is done first.
alter table payment_subscriptions
  add column customer_links_epoch integer check (customer_links_epoch > 0);

-- A card from that page may replace the one of a subscription that has no need of another, as long as links of this epoch
-- are good. Null of cards from a merchant's own pages.
alter table authentications add column customer_links_epoch integer;

-- What a customer may do there.
alter table merchants
  add column customers_may jsonb not null default '["cancel", "change_card"]';
