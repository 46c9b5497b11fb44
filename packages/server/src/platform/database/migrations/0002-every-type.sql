-- Rights that keys and memberships can hold. A key's or membership's own list of slugs is the truth; the
-- views give it the form of pairs, in which queries follow relationships.
create table permissions (
  id uuid primary key,
  slug text not null unique,
  description text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table accounts
  alter column password_hash drop not null,
  add column personal_identification_id uuid,
  -- The account that manages this one; an account that opened a merchant manages itself.
  add column owner_id uuid references accounts (id);
update accounts set owner_id = id;

alter table memberships
  add column email text,
  -- Until then the account is not the merchant's to see.
  add column accepted_at timestamptz,
  -- Slugs; the opener has every permission.
  add column permissions jsonb not null default '[]',
  -- Of the key that invited: what a sandbox key gives is of no effect in live mode.
  add column invited_mode text check (invited_mode in ('live', 'sandbox'));
update memberships set accepted_at = created_at;
create index memberships_account on memberships (account_id);

create view membership_permissions as
  select m.merchant_id, m.id as membership_id, p.id as permission_id
  from memberships m join permissions p on m.opener or m.permissions ? p.slug;

create table processor_details (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  kind text not null check (kind in ('nmi', 'edge', 'rs2', 'legacy', 'sandbox')),
  onboarding_state text not null check (onboarding_state in ('pending', 'approved')),
  processing_state text not null check (processing_state in ('disabled', 'enabled', 'monitoring')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);

alter table merchants
  add column tax_id_type text,
  -- The account that opened the merchant.
  add column account_id uuid references accounts (id);
update merchants set account_id =
  (select account_id from memberships m where m.merchant_id = merchants.id and m.opener limit 1);
alter table merchant_tokens
  add column processor_detail_id uuid,
  add foreign key (merchant_id, processor_detail_id) references processor_details (merchant_id, id);

-- A secret key without a list holds every permission; a publishable key holds none.
create view merchant_token_permissions as
  select t.merchant_id, t.id as merchant_token_id, p.id as permission_id
  from merchant_tokens t join permissions p
    on t.context = 'secret' and (t.permissions is null or t.permissions ? p.slug);

create table legal_addresses (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  line_1 text not null,
  line_2 text,
  city text not null,
  state text not null,
  zip text not null,
  country text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);

create table personal_identifications (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  full_name text not null,
  personal_name text,
  surname text,
  name_on_document text,
  nationality text,
  dob date,
  email text,
  phone_number text,
  -- What is served: all but the last four characters are masked.
  id_number text,
  id_number_full text,
  legal_address_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, legal_address_id) references legal_addresses (merchant_id, id)
);

create table beneficial_owners (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  ownership_percentage integer not null check (ownership_percentage between 1 and 100),
  personal_identification_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, personal_identification_id)
    references personal_identifications (merchant_id, id)
);
-- A person owns one part of a merchant.
create unique index beneficial_owners_person
  on beneficial_owners (merchant_id, personal_identification_id);

-- The owners of a merchant hold no more than the whole. The merchant's row makes them come one after the other.
create function assert_whole() returns trigger
language plpgsql as $$
begin
  perform 1 from merchants where id = new.merchant_id for no key update;
  if (select sum(ownership_percentage) from beneficial_owners
      where merchant_id = new.merchant_id and mode = new.mode) > 100 then
    raise exception 'the owners hold more than the whole'
      using errcode = 'check_violation', constraint = 'beneficial_owners_whole';
  end if;
  return null;
end $$;
create trigger beneficial_owners_whole after insert or update on beneficial_owners
  for each row execute function assert_whole();

create table corporate_officials (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  role text not null,
  daily_contact boolean not null,
  payments_decision_maker boolean not null,
  personal_identification_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, personal_identification_id)
    references personal_identifications (merchant_id, id)
);
create index corporate_officials_identification
  on corporate_officials (merchant_id, personal_identification_id);

create table financial_institutions (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null,
  icon_url text,
  login_url text,
  logo_url text,
  primary_colour text,
  state text not null check (state in ('pending', 'verified')),
  personal_identification_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, personal_identification_id)
    references personal_identifications (merchant_id, id)
);

create table red_flags (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  comment text,
  external_metadata jsonb,
  source text not null check (source in ('edge', 'legit_script')),
  status text not null check (status in ('active', 'penalized', 'cleared', 'warned')),
  violation text not null check (violation in ('email_concerns', 'multiple_merchants_for_email',
    'low_risk', 'moderate_risk', 'high_risk', 'bram', 'gbpp', 'terms', 'offline_or_parked', 'rogue',
    'transaction_laundering_suspected', 'transaction_laundering_confirmed')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);

create table merchant_punitive_actions (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  action text not null check (action in ('quarantine', 'ban')),
  red_flag_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, red_flag_id) references red_flags (merchant_id, id)
);

create table account_alerts (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('pending', 'acknowledged')),
  acknowledged_at timestamptz,
  red_flag_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, red_flag_id) references red_flags (merchant_id, id)
);
create trigger account_alerts_transition before update on account_alerts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>acknowledged');

create table integrations (
  id uuid primary key,
  name text not null unique,
  url text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table merchant_integrations (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  name text not null,
  admin_url text,
  integration_id uuid not null references integrations (id),
  merchant_token_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, merchant_token_id) references merchant_tokens (merchant_id, id)
);

create table payment_subscriptions (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('pending', 'active', 'paused', 'cancelled')),
  confirmed boolean not null,
  failure_reason text,
  slug text,
  billing_period text check (billing_period in ('one_day', 'seven_days', 'fourteen_days', 'thirty_days',
    'one_month', 'six_months', 'twelve_months')),
  billing_cycle_anchor_at timestamptz,
  proration_behavior text not null check (proration_behavior in ('none', 'create_prorations')),
  billing_scheme text not null check (billing_scheme in ('per_unit')),
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  fee_cents bigint not null check (fee_cents >= 0),
  description text,
  idempotency_key text,
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
  next_billing_at timestamptz,
  current_period_start_at timestamptz,
  current_period_end_at timestamptz,
  trial_end_at timestamptz,
  canceled_at_period_end boolean not null,
  subscription_notification_email text,
  alert_receipt boolean not null,
  canceled_at timestamptz,
  last_processed_at timestamptz,
  last_active_at timestamptz,
  last_paused_at timestamptz,
  buyer_id uuid,
  payer_id uuid,
  receiver_id uuid,
  payment_method_id uuid,
  billing_address_id uuid,
  shipping_address_id uuid,
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
create index payment_subscriptions_newest
  on payment_subscriptions (merchant_id, mode, created_at desc, id desc);
create trigger payment_subscriptions_transition before update on payment_subscriptions
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>active', 'pending>cancelled', 'active>paused',
    'active>cancelled', 'paused>active', 'paused>cancelled');

alter table payment_demands
  add column payment_subscription_id uuid,
  add foreign key (merchant_id, payment_subscription_id)
    references payment_subscriptions (merchant_id, id);
create index payment_demands_subscription on payment_demands (merchant_id, payment_subscription_id)
  where payment_subscription_id is not null;

create table refund_demands (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'succeeded', 'failed')),
  reason text not null,
  reason_note text,
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  idempotency_key text,
  failure_reason text,
  succeeded_at timestamptz,
  failed_at timestamptz,
  payment_demand_id uuid not null,
  -- Set while an attempt's answer is lost.
  outcome text check (outcome in ('unknown')),
  outcome_since timestamptz,
  -- Attempts that never left this machine, and when the first of them failed to.
  unsent_count integer not null,
  unsent_since timestamptz,
  -- When the work loop has something to do with it; null when nothing is due.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);
create index refund_demands_newest on refund_demands (merchant_id, mode, created_at desc, id desc);
create index refund_demands_payment on refund_demands (merchant_id, payment_demand_id);
create index refund_demands_due on refund_demands (due_at) where due_at is not null;
create trigger refund_demands_transition before update on refund_demands
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>processing', 'pending>failed', 'processing>succeeded',
    'processing>failed', 'processing>pending');

alter table attempts
  drop constraint attempts_operation_check,
  add check (operation in ('authorise', 'refund')),
  -- Of a refund: what it is made for, and the approved attempt whose money it gives back.
  add column refund_demand_id uuid,
  add column authorisation_id uuid,
  add check (num_nonnulls(refund_demand_id, authorisation_id) = case operation when 'refund' then 2 else 0 end),
  add foreign key (merchant_id, refund_demand_id) references refund_demands (merchant_id, id),
  add foreign key (merchant_id, authorisation_id) references attempts (merchant_id, id);
drop index attempts_one_open;
create unique index attempts_one_open
  on attempts (merchant_id, coalesce(refund_demand_id, payment_demand_id))
  where status in ('sending', 'unknown', 'reversing');
create index attempts_refund on attempts (merchant_id, refund_demand_id)
  where refund_demand_id is not null;
