-- Tenant tables carry merchant_id first in every key, and mode, so that scope is one predicate
-- everywhere and rows can later be spread over machines by merchant. Busy tables do not reference
-- merchants: the merchant of a row is that of an authenticated key, and every insert would lock its row.

-- A UUIDv7 for rows that are made inside a statement, such as the fan-out of an event.
create function uuid7(at timestamptz) returns uuid
language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- Refuses a change of status that is not among the trigger's arguments, each written 'from>to'.
create function assert_transition() returns trigger
language plpgsql as $$
begin
  if new.status <> old.status and not ((old.status || '>' || new.status) = any (tg_argv)) then
    raise exception '% cannot go from % to %', tg_table_name, old.status, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- Refuses every change of a row that is written once.
create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'check_violation';
end $$;

create table instance_secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz not null default now()
);

create table merchants (
  merchant_id uuid generated always as (id) stored,
  id uuid primary key,
  business_name text,
  business_description text,
  business_email text,
  business_support_email text,
  business_support_url text,
  business_terms_url text,
  business_privacy_policy_url text,
  business_website text,
  business_timezone text not null default 'UTC',
  business_zip_code text,
  phone_number text,
  category_code text,
  entity_type text,
  prior_bankruptcies boolean,
  active_at timestamptz,
  accepted_currencies jsonb not null default '["USD"]',
  threeds_live text not null default 'when_available'
    check (threeds_live in ('required', 'when_available', 'off')),
  threeds_sandbox text not null default 'when_available'
    check (threeds_sandbox in ('required', 'when_available', 'off')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table accounts (
  id uuid primary key,
  email text not null,
  name text,
  password_hash text not null,
  account_status text not null default 'active'
    check (account_status in ('incomplete', 'active', 'quarantined', 'banned', 'pending', 'archived')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index accounts_email on accounts (lower(email));

create table memberships (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  account_id uuid not null references accounts (id),
  opener boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, account_id)
);

create table merchant_tokens (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  name text not null,
  context text not null check (context in ('browser', 'secret')),
  -- SHA-256 of the key: keys are long and random, so a slow hash would protect nothing.
  token_hash bytea not null unique,
  permissions jsonb,
  expiry timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);

create table customers (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  email text not null,
  name text,
  phone_number text,
  description text,
  blocked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create index customers_newest on customers (merchant_id, mode, created_at desc, id desc);
create index customers_email on customers (merchant_id, mode, email);

create table consumer_addresses (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  customer_id uuid,
  line_1 text not null,
  line_2 text,
  city text not null,
  state text not null,
  zip text not null,
  country text not null,
  discarded_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id)
);
create index consumer_addresses_newest
  on consumer_addresses (merchant_id, mode, created_at desc, id desc);
create index consumer_addresses_customer on consumer_addresses (merchant_id, customer_id);

create table payment_methods (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  customer_id uuid,
  address_id uuid,
  card_pan_token text not null,
  card_cvv_token text,
  card_fingerprint text not null,
  nickname text,
  description text,
  card_bin text not null,
  last_four text not null,
  kind text not null,
  external_state text not null check (external_state in ('pending', 'confirmed', 'failed', 'errored')),
  expiry_month integer not null check (expiry_month between 1 and 12),
  expiry_year integer not null,
  discarded_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id),
  foreign key (merchant_id, address_id) references consumer_addresses (merchant_id, id)
);
create index payment_methods_newest on payment_methods (merchant_id, mode, created_at desc, id desc);
create index payment_methods_customer on payment_methods (merchant_id, customer_id);

create table payment_demands (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('incomplete', 'ready', 'pending', 'processing', 'succeeded',
    'failed', 'canceled', 'reversed', 'disputed')),
  failure_reason text,
  confirmed boolean not null,
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  amount_refunded_cents bigint not null check (amount_refunded_cents between 0 and amount_cents),
  fee_cents bigint not null check (fee_cents >= 0),
  description text,
  idempotency_key text,
  capture_method text not null check (capture_method in ('automatic', 'manual')),
  email_receipt boolean not null,
  purchase_reference text,
  purchase_kind text check (purchase_kind in ('order', 'invoice')),
  discount_cents bigint check (discount_cents >= 0),
  line_items jsonb,
  shipping_detail jsonb,
  tax_detail jsonb,
  payer_timezone text,
  threeds_version text,
  threeds_status text,
  threeds_cryptogram text,
  eci text,
  directory_transaction_eid text,
  acs_transaction_eid text,
  cvc2_check text not null,
  address_line1_verification text not null,
  postal_code_verification text not null,
  succeeded_at timestamptz,
  failed_at timestamptz,
  buyer_id uuid,
  payer_id uuid,
  receiver_id uuid,
  payment_method_id uuid,
  billing_address_id uuid,
  shipping_address_id uuid,
  -- Set while an attempt's answer is lost.
  outcome text check (outcome in ('unknown')),
  outcome_since timestamptz,
  -- Attempts that never left this machine since the payment was last confirmed.
  unsent_count integer not null,
  -- When the first of these failed to leave.
  unsent_since timestamptz,
  -- When the work loop has something to do with it; null when nothing is due.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, buyer_id) references customers (merchant_id, id),
  foreign key (merchant_id, payer_id) references customers (merchant_id, id),
  foreign key (merchant_id, receiver_id) references customers (merchant_id, id),
  foreign key (merchant_id, payment_method_id) references payment_methods (merchant_id, id),
  foreign key (merchant_id, billing_address_id) references consumer_addresses (merchant_id, id),
  foreign key (merchant_id, shipping_address_id) references consumer_addresses (merchant_id, id)
);
create index payment_demands_newest on payment_demands (merchant_id, mode, created_at desc, id desc);
create index payment_demands_payer on payment_demands (merchant_id, payer_id) where payer_id is not null;
create index payment_demands_method
  on payment_demands (merchant_id, payment_method_id) where payment_method_id is not null;
create index payment_demands_billing
  on payment_demands (merchant_id, billing_address_id) where billing_address_id is not null;
create index payment_demands_shipping
  on payment_demands (merchant_id, shipping_address_id) where shipping_address_id is not null;
create index payment_demands_reference
  on payment_demands (merchant_id, mode, purchase_reference) where purchase_reference is not null;
create index payment_demands_due on payment_demands (due_at) where due_at is not null;
create trigger payment_demands_transition before update on payment_demands
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('incomplete>ready', 'incomplete>pending', 'incomplete>canceled',
    'ready>incomplete', 'ready>pending', 'ready>canceled', 'pending>processing',
    'pending>failed', 'processing>succeeded', 'processing>failed', 'processing>pending', 'succeeded>disputed', 'succeeded>reversed',
    'failed>pending', 'disputed>reversed', 'disputed>succeeded');

-- One message to a processor, stored before it is sent. Its id is the processor's reference.
create table attempts (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  payment_demand_id uuid not null,
  processor text not null,
  operation text not null check (operation in ('authorise')),
  status text not null check (status in ('sending', 'unknown', 'reversing', 'approved', 'declined', 'not_sent',
    'reversed')),
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  decline_code text,
  authorisation_code text,
  network_transaction_id text,
  unknown_since timestamptz,
  inquiries integer not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);
create index attempts_due on attempts (due_at) where due_at is not null;
create unique index attempts_one_open on attempts (merchant_id, payment_demand_id)
  where status in ('sending', 'unknown', 'reversing');
create index attempts_demand on attempts (merchant_id, payment_demand_id);
create trigger attempts_transition before update on attempts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('sending>approved', 'sending>declined', 'sending>unknown',
    'sending>not_sent', 'unknown>approved', 'unknown>declined', 'unknown>reversing',
    'reversing>reversed');

create table events (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  resource_type text not null,
  resource_id uuid not null,
  slug text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);
create index events_newest on events (merchant_id, mode, created_at desc, id desc);
create index events_resource on events (merchant_id, resource_id);
create trigger events_unchanged before update or delete on events
  for each row execute function refuse_change();

create table webhook_subscriptions (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  url text not null,
  description text,
  events jsonb not null,
  concurrency_limit integer not null check (concurrency_limit between 1 and 100),
  status text not null check (status in ('active', 'paused', 'archived')),
  secret_key text not null,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create trigger webhook_subscriptions_transition before update on webhook_subscriptions
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('active>paused', 'active>archived', 'paused>active',
    'paused>archived');
create index webhook_subscriptions_active
  on webhook_subscriptions (merchant_id, mode) where status = 'active';

create table webhook_deliveries (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  event_id uuid not null,
  webhook_subscription_id uuid not null,
  status text not null check (status in ('pending', 'delivered', 'stopped', 'exhausted')),
  fails_count integer not null default 0,
  first_try_at timestamptz,
  last_response_status integer,
  last_error text,
  delivered_at timestamptz,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, event_id, webhook_subscription_id),
  foreign key (merchant_id, event_id) references events (merchant_id, id),
  foreign key (merchant_id, webhook_subscription_id)
    references webhook_subscriptions (merchant_id, id)
);
create index webhook_deliveries_newest
  on webhook_deliveries (merchant_id, mode, created_at desc, id desc);
create index webhook_deliveries_subscription
  on webhook_deliveries (merchant_id, webhook_subscription_id);
create index webhook_deliveries_due on webhook_deliveries (due_at) where due_at is not null;
create trigger webhook_deliveries_transition before update on webhook_deliveries
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>delivered', 'pending>stopped', 'pending>exhausted');

create table idempotency_keys (
  merchant_id uuid not null,
  mode text not null,
  resource_type text not null,
  key text not null,
  request_hash text not null,
  resource_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, mode, resource_type, key)
);
