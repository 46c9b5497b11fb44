-- What merchants want of charges that fail, and of periods that were missed.
alter table merchants
  add column dunning_days integer not null default 14,
  add column dunning_final_action text not null default 'pause'
    check (dunning_final_action in ('pause', 'cancel', 'keep')),
  add column missed_periods text not null default 'each' check (missed_periods in ('each', 'latest'));

-- Nothing was renewed before this. Whoever has subscriptions by now is not to have months of them charged at once.
update merchants set missed_periods = 'latest';

alter table payment_subscriptions
  add column billing_timezone text not null default 'UTC',
  add column end_at timestamptz,
  add column charges_max integer check (charges_max > 0),
  add column charges_count integer not null default 0,
  add column credit_cents bigint not null default 0,
  -- What the period is worth that is paid for.
  add column period_amount_cents bigint,
  add column past_due_since timestamptz,
  -- The charge that keeps failing.
  add column past_due_charge_id uuid,
  add column tries_count integer,
  add column next_try_at timestamptz,
  add column dunning_ends_at timestamptz,
  -- When the payer is told of the next charge.
  add column notice_at timestamptz,
  -- Until when nothing is done for one that waits for a charge under way, or whose billing failed in the database.
  add column put_aside_until timestamptz,
  -- The card that was given up when dunning paused it: another one is wanted.
  add column refused_method_id uuid,
  add check (past_due_since is not null or (past_due_charge_id is null and next_try_at is null
    and dunning_ends_at is null)),
  add column due_at timestamptz generated always as (
    case
      when not confirmed then null
      when status = 'active' and past_due_since is null
        then greatest(put_aside_until, least(next_billing_at, notice_at, end_at))
      when status = 'active' then greatest(put_aside_until, least(next_try_at, dunning_ends_at, end_at))
      when status = 'paused' and canceled_at_period_end
        then greatest(put_aside_until, least(next_billing_at, end_at))
      when status = 'paused' and end_at is not null then greatest(put_aside_until, end_at)
    end) stored;

alter table payment_demands
  add column billing_reason text check (billing_reason in ('first', 'proration', 'renewal', 'change')),
  add column period_start_at timestamptz,
  add column period_end_at timestamptz,
  -- What of the price of the period its subscription's credit has paid.
  add column credit_used_cents bigint;

create table subscription_periods (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  amount_cents bigint not null,
  skip_reason text check (skip_reason in ('credit', 'missed', 'paused', 'unpaid')),
  payment_subscription_id uuid not null,
  payment_demand_id uuid,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  -- Nothing is charged twice for the same period, whoever bills it.
  unique (merchant_id, payment_subscription_id, start_at),
  check (end_at > start_at),
  -- A charge that was given up left its period unpaid.
  check (case when payment_demand_id is null then skip_reason is not null
    else skip_reason is null or skip_reason = 'unpaid' end),
  foreign key (merchant_id, payment_subscription_id) references payment_subscriptions (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);

create table subscription_changes (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  dry_run boolean not null,
  amount_cents bigint,
  billing_period text check (billing_period in ('one_day', 'seven_days', 'fourteen_days', 'thirty_days',
    'one_month', 'six_months', 'twelve_months')),
  proration_behavior text not null check (proration_behavior in ('none', 'create_prorations')),
  charged_cents bigint not null,
  credit_cents bigint not null,
  next_amount_cents bigint not null,
  next_billing_at timestamptz,
  payment_subscription_id uuid not null,
  payment_method_id uuid,
  payment_demand_id uuid,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_subscription_id) references payment_subscriptions (merchant_id, id),
  foreign key (merchant_id, payment_method_id) references payment_methods (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);

create index payment_subscriptions_due on payment_subscriptions (due_at) where due_at is not null;
-- For those of one merchant or customer, whose clock is moved.
create index payment_subscriptions_merchant_due on payment_subscriptions (merchant_id, due_at)
  where due_at is not null;
create index subscription_changes_newest
  on subscription_changes (merchant_id, mode, created_at desc, id desc);
create index subscription_changes_payment_subscription
  on subscription_changes (merchant_id, payment_subscription_id);
create index subscription_changes_payment_method
  on subscription_changes (merchant_id, payment_method_id) where payment_method_id is not null;
create index subscription_changes_payment_demand
  on subscription_changes (merchant_id, payment_demand_id) where payment_demand_id is not null;
create index subscription_periods_newest
  on subscription_periods (merchant_id, mode, created_at desc, id desc);
create index subscription_periods_payment_demand
  on subscription_periods (merchant_id, payment_demand_id) where payment_demand_id is not null;
