-- The language customers are written to in, and how letters of a merchant look.
alter table merchants
  add column locale text not null default 'en',
  add column brand_name text,
  add column brand_color text check (brand_color ~ '^#[0-9a-fA-F]{6}$'),
  add column logo_url text;
alter table customers add column locale text;

-- What customers are told. `facts` are those of the moment it was caused; subject, text and html are made of them
-- later. Its card is no relation of it: nothing is locked for a letter but what is never locked against references.
create table letters (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  kind text not null check (kind in
    ('receipt', 'upcoming_renewal', 'payment_failed', 'card_expiring', 'subscription_cancelled')),
  status text not null check (status in ('pending', 'kept', 'sent', 'failed')),
  to_email text not null,
  locale text not null,
  subject text,
  text text,
  html text,
  facts jsonb not null,
  -- What tells it from the other letters of its kind about the same record.
  subject_id uuid not null,
  occasion text not null,
  customer_id uuid,
  payment_demand_id uuid,
  payment_subscription_id uuid,
  payment_method_id uuid,
  tries_count integer not null,
  failure_reason text,
  due_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, subject_id, kind, occasion),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id),
  foreign key (merchant_id, payment_subscription_id) references payment_subscriptions (merchant_id, id),
  check ((status = 'pending') = (due_at is not null))
);
create index letters_newest on letters (merchant_id, mode, created_at desc, id desc);
create index letters_customer on letters (merchant_id, customer_id) where customer_id is not null;
create index letters_payment_demand on letters (merchant_id, payment_demand_id)
  where payment_demand_id is not null;
create index letters_payment_subscription on letters (merchant_id, payment_subscription_id)
  where payment_subscription_id is not null;
create index letters_kind on letters (merchant_id, mode, kind);
create index letters_status on letters (merchant_id, mode, status);
create index letters_to_email on letters (merchant_id, mode, to_email);
create index letters_due on letters (mode, merchant_id, due_at) where due_at is not null;
create trigger letters_transition before update on letters
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>kept', 'pending>sent', 'pending>failed');
