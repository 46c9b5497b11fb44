-- Pages on which anybody can pay a price. The code is the secret part of the page's address.
create table payment_links (
  merchant_id uuid not null references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  code text not null unique,
  status text not null check (status in ('active', 'used_up', 'expired')),
  title text not null,
  description text,
  amount_cents bigint not null,
  amount_currency text not null,
  billing_period text check (billing_period in
    ('one_day', 'seven_days', 'fourteen_days', 'thirty_days', 'one_month', 'six_months', 'twelve_months')),
  line_items jsonb,
  purchase_reference text not null,
  email_receipt boolean not null,
  success_url text,
  expires_at timestamptz,
  uses_max bigint check (uses_max > 0),
  uses_count bigint not null check (uses_count >= 0),
  url text not null,
  qr_svg_url text not null,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  check ((status = 'active') = (ended_at is null))
);
create trigger payment_links_transition before update on payment_links
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('active>used_up', 'active>expired', 'used_up>active', 'used_up>expired');
create index payment_links_newest on payment_links (merchant_id, mode, created_at desc, id desc);
create index payment_links_status on payment_links (merchant_id, mode, status);
create index payment_links_billing_period on payment_links (merchant_id, mode, billing_period)
  where billing_period is not null;
create index payment_links_updated_at on payment_links (merchant_id, mode, updated_at);
create index payment_links_expires on payment_links (expires_at) where status = 'active';

alter table payment_demands
  add column payment_link_id uuid,
  add foreign key (merchant_id, payment_link_id) references payment_links (merchant_id, id);
create index payment_demands_payment_link on payment_demands (merchant_id, payment_link_id)
  where payment_link_id is not null;
-- Payments that may yet take a use of their link.
create index payment_demands_link_under_way on payment_demands (merchant_id, payment_link_id)
  where payment_link_id is not null and succeeded_at is null
    and status in ('pending', 'processing', 'authorised');

alter table payment_subscriptions
  add column payment_link_id uuid,
  add foreign key (merchant_id, payment_link_id) references payment_links (merchant_id, id);
create index payment_subscriptions_payment_link on payment_subscriptions (merchant_id, payment_link_id)
  where payment_link_id is not null;
