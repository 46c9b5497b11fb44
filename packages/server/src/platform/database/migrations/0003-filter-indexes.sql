-- One index for each column that a filter may name, behind the columns that every query is scoped by. A column
-- that is null in an intent is indexed where it is not, so that making an intent does not pay for it.

create index customers_name on customers (merchant_id, mode, name);
create index customers_phone_number on customers (merchant_id, mode, phone_number);
-- A whole description may be too long for an index; filters look for its beginning first.
create index customers_description
  on customers (merchant_id, mode, "left"(description, 200)) where description is not null;
create index customers_blocked_at
  on customers (merchant_id, mode, blocked_at) where blocked_at is not null;
create index customers_updated_at on customers (merchant_id, mode, updated_at);

create index consumer_addresses_city on consumer_addresses (merchant_id, mode, city);
create index consumer_addresses_state on consumer_addresses (merchant_id, mode, state);
create index consumer_addresses_zip on consumer_addresses (merchant_id, mode, zip);
create index consumer_addresses_country on consumer_addresses (merchant_id, mode, country);
create index consumer_addresses_discarded_at
  on consumer_addresses (merchant_id, mode, discarded_at) where discarded_at is not null;
create index consumer_addresses_updated_at on consumer_addresses (merchant_id, mode, updated_at);

create index payment_methods_address
  on payment_methods (merchant_id, address_id) where address_id is not null;
create index payment_methods_nickname
  on payment_methods (merchant_id, mode, nickname) where nickname is not null;
create index payment_methods_card_bin on payment_methods (merchant_id, mode, card_bin);
create index payment_methods_last_four on payment_methods (merchant_id, mode, last_four);
create index payment_methods_kind on payment_methods (merchant_id, mode, kind);
create index payment_methods_external_state on payment_methods (merchant_id, mode, external_state);
create index payment_methods_expiry_month on payment_methods (merchant_id, mode, expiry_month);
create index payment_methods_expiry_year
  on payment_methods (merchant_id, mode, expiry_year, expiry_month);
create index payment_methods_discarded_at
  on payment_methods (merchant_id, mode, discarded_at) where discarded_at is not null;
create index payment_methods_updated_at on payment_methods (merchant_id, mode, updated_at);

create index payment_demands_status on payment_demands (merchant_id, mode, status);
create index payment_demands_failure_reason
  on payment_demands (merchant_id, mode, failure_reason) where failure_reason is not null;
create index payment_demands_confirmed on payment_demands (merchant_id, mode, confirmed);
create index payment_demands_amount_cents on payment_demands (merchant_id, mode, amount_cents);
create index payment_demands_amount_currency on payment_demands (merchant_id, mode, amount_currency);
create index payment_demands_capture_method on payment_demands (merchant_id, mode, capture_method);
create index payment_demands_idempotency_key
  on payment_demands (merchant_id, mode, idempotency_key) where idempotency_key is not null;
create index payment_demands_description
  on payment_demands (merchant_id, mode, "left"(description, 200)) where description is not null;
create index payment_demands_purchase_kind
  on payment_demands (merchant_id, mode, purchase_kind) where purchase_kind is not null;
create index payment_demands_succeeded_at
  on payment_demands (merchant_id, mode, succeeded_at) where succeeded_at is not null;
create index payment_demands_updated_at on payment_demands (merchant_id, mode, updated_at);
create index payment_demands_buyer on payment_demands (merchant_id, buyer_id) where buyer_id is not null;
create index payment_demands_receiver
  on payment_demands (merchant_id, receiver_id) where receiver_id is not null;

create index payment_subscriptions_buyer
  on payment_subscriptions (merchant_id, buyer_id) where buyer_id is not null;
create index payment_subscriptions_payer
  on payment_subscriptions (merchant_id, payer_id) where payer_id is not null;
create index payment_subscriptions_receiver
  on payment_subscriptions (merchant_id, receiver_id) where receiver_id is not null;
create index payment_subscriptions_payment_method
  on payment_subscriptions (merchant_id, payment_method_id) where payment_method_id is not null;
create index payment_subscriptions_billing_address
  on payment_subscriptions (merchant_id, billing_address_id) where billing_address_id is not null;
create index payment_subscriptions_shipping_address
  on payment_subscriptions (merchant_id, shipping_address_id) where shipping_address_id is not null;
create index payment_subscriptions_status on payment_subscriptions (merchant_id, mode, status);
create index payment_subscriptions_confirmed on payment_subscriptions (merchant_id, mode, confirmed);
create index payment_subscriptions_slug
  on payment_subscriptions (merchant_id, mode, slug) where slug is not null;
create index payment_subscriptions_billing_period
  on payment_subscriptions (merchant_id, mode, billing_period) where billing_period is not null;
create index payment_subscriptions_amount_cents on payment_subscriptions (merchant_id, mode, amount_cents);
create index payment_subscriptions_amount_currency
  on payment_subscriptions (merchant_id, mode, amount_currency);
create index payment_subscriptions_description
  on payment_subscriptions (merchant_id, mode, "left"(description, 200)) where description is not null;
create index payment_subscriptions_idempotency_key
  on payment_subscriptions (merchant_id, mode, idempotency_key) where idempotency_key is not null;
create index payment_subscriptions_purchase_reference
  on payment_subscriptions (merchant_id, mode, purchase_reference) where purchase_reference is not null;
create index payment_subscriptions_purchase_kind
  on payment_subscriptions (merchant_id, mode, purchase_kind) where purchase_kind is not null;
create index payment_subscriptions_next_billing_at
  on payment_subscriptions (merchant_id, mode, next_billing_at) where next_billing_at is not null;
create index payment_subscriptions_updated_at on payment_subscriptions (merchant_id, mode, updated_at);

create index refund_demands_status on refund_demands (merchant_id, mode, status);
create index refund_demands_reason on refund_demands (merchant_id, mode, reason);
create index refund_demands_amount_cents on refund_demands (merchant_id, mode, amount_cents);
create index refund_demands_amount_currency on refund_demands (merchant_id, mode, amount_currency);
create index refund_demands_idempotency_key
  on refund_demands (merchant_id, mode, idempotency_key) where idempotency_key is not null;
create index refund_demands_succeeded_at
  on refund_demands (merchant_id, mode, succeeded_at) where succeeded_at is not null;
create index refund_demands_updated_at on refund_demands (merchant_id, mode, updated_at);

create index events_resource_type on events (merchant_id, mode, resource_type);
create index events_slug on events (merchant_id, mode, slug);

create index webhook_deliveries_status on webhook_deliveries (merchant_id, mode, status);
create index webhook_deliveries_updated_at on webhook_deliveries (merchant_id, mode, updated_at);
