-- One index for the columns of few values of a table, in place of one for each: a row of a confirmed payment had five.
-- A filter by a later column skips from value to value of the earlier ones. Equal entries share their keys, so that the
-- index stays small. An installation with large tables creates them beforehand: see the upgrade page.
create index if not exists payment_demands_combined on payment_demands
  (merchant_id, mode, status, capture_method, confirmed, purchase_kind, amount_currency);
drop index payment_demands_status, payment_demands_capture_method, payment_demands_confirmed,
  payment_demands_purchase_kind, payment_demands_amount_currency;

create index if not exists attempts_combined on attempts (merchant_id, mode, status, processor_detail_id);
drop index attempts_status, attempts_processor_detail;

create index if not exists events_combined on events (merchant_id, mode, resource_type, slug);
drop index events_resource_type, events_slug;

create index if not exists letters_combined on letters (merchant_id, mode, status, kind);
drop index letters_status, letters_kind;

create index if not exists payment_subscriptions_combined on payment_subscriptions
  (merchant_id, mode, status, billing_period, confirmed, purchase_kind, amount_currency);
drop index payment_subscriptions_status, payment_subscriptions_billing_period, payment_subscriptions_confirmed,
  payment_subscriptions_purchase_kind, payment_subscriptions_amount_currency;
