-- Holds: an amount that is approved, and captured, voided or let go later.
alter table payment_demands
  drop constraint payment_demands_status_check,
  add constraint payment_demands_status_check check (status in ('incomplete', 'ready', 'pending', 'processing',
    'authorised', 'succeeded', 'failed', 'canceled', 'reversed', 'disputed')),
  add column amount_authorised_cents bigint not null default 0,
  add column amount_captured_cents bigint not null default 0,
  add column amount_refundable_cents bigint not null default 0,
  add column hold_expires_at timestamptz,
  add column cancellation_reason text check (cancellation_reason in ('requested', 'hold_expired')),
  add column canceled_at timestamptz;
update payment_demands set amount_authorised_cents = amount_cents, amount_captured_cents = amount_cents,
  amount_refundable_cents = amount_cents - (select coalesce(sum(r.amount_cents), 0) from refund_demands r
    where r.merchant_id = payment_demands.merchant_id and r.payment_demand_id = payment_demands.id
      and r.status <> 'failed')
  where status = 'succeeded';
-- No money moves that a bank has not approved, and none goes back that was not collected.
alter table payment_demands
  add check (amount_captured_cents between 0 and amount_authorised_cents),
  add check (amount_refundable_cents between 0 and amount_captured_cents - amount_refunded_cents),
  add check ((hold_expires_at is null) or amount_authorised_cents > 0);
drop trigger payment_demands_transition on payment_demands;
create trigger payment_demands_transition before update on payment_demands
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('incomplete>ready', 'incomplete>pending', 'incomplete>canceled',
    'ready>incomplete', 'ready>pending', 'ready>canceled', 'pending>processing', 'pending>failed',
    'processing>succeeded', 'processing>authorised', 'processing>failed', 'processing>pending',
    'processing>canceled', 'authorised>processing', 'succeeded>disputed', 'succeeded>reversed',
    'failed>pending', 'disputed>reversed', 'disputed>succeeded');

-- What a merchant is charged for a payment, where that is not the usual: a share in hundredths of a percent, and minor units.
create table fee_plans (
  merchant_id uuid not null references merchants (id),
  amount_currency text not null,
  basis_points integer not null check (basis_points between 0 and 10000),
  fixed_cents bigint not null check (fixed_cents >= 0),
  primary key (merchant_id, amount_currency)
);
-- That of the moment in which the payment was sent.
alter table payment_demands
  add column fee_basis_points integer,
  add column fee_fixed_cents bigint;

create table capture_demands (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'succeeded', 'failed')),
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
create index capture_demands_newest on capture_demands (merchant_id, mode, created_at desc, id desc);
create index capture_demands_payment on capture_demands (merchant_id, payment_demand_id);
create index capture_demands_due_of on capture_demands (merchant_id, due_at) where due_at is not null;
create index capture_demands_status on capture_demands (merchant_id, mode, status);
create index capture_demands_amount_cents on capture_demands (merchant_id, mode, amount_cents);
create index capture_demands_amount_currency on capture_demands (merchant_id, mode, amount_currency);
create index capture_demands_idempotency_key
  on capture_demands (merchant_id, mode, idempotency_key) where idempotency_key is not null;
create index capture_demands_succeeded_at
  on capture_demands (merchant_id, mode, succeeded_at) where succeeded_at is not null;
create index capture_demands_updated_at on capture_demands (merchant_id, mode, updated_at);
-- A payment is captured once, whatever else goes wrong.
create unique index capture_demands_one on capture_demands (merchant_id, payment_demand_id)
  where status <> 'failed';
create trigger capture_demands_transition before update on capture_demands
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('pending>processing', 'pending>failed', 'processing>succeeded',
    'processing>failed', 'processing>pending');

alter table attempts
  drop constraint attempts_operation_check,
  drop constraint attempts_check,
  add column capture_demand_id uuid,
  add check (case operation
    when 'authorise' then num_nonnulls(refund_demand_id, capture_demand_id, authorisation_id) = 0
    when 'refund' then refund_demand_id is not null and capture_demand_id is null and authorisation_id is not null
    when 'capture' then capture_demand_id is not null and refund_demand_id is null and authorisation_id is not null
    else false end),
  add foreign key (merchant_id, capture_demand_id) references capture_demands (merchant_id, id);
drop index attempts_one_open;
create unique index attempts_one_open
  on attempts (merchant_id, coalesce(refund_demand_id, capture_demand_id, payment_demand_id))
  where status in ('sending', 'unknown', 'reversing');
create index attempts_capture on attempts (merchant_id, capture_demand_id)
  where capture_demand_id is not null;
drop trigger attempts_transition on attempts;
create trigger attempts_transition before update on attempts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('sending>approved', 'sending>declined', 'sending>unknown',
    'sending>not_sent', 'unknown>approved', 'unknown>declined', 'unknown>reversing', 'approved>reversing',
    'reversing>reversed');

-- Double entry: each transfer debits one account of a merchant and credits another, so that every one balances by itself.
create table ledger_transfers (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  kind text not null,
  debit_account text not null,
  credit_account text not null check (credit_account <> debit_account),
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  -- The record whose change it tells of.
  source_id uuid not null,
  payment_demand_id uuid,
  -- The transaction that wrote it: balances are brought forward by those that have ended.
  posted_in bigint not null default pg_current_xact_id()::text::bigint,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);
-- What a change of a record does to the ledger it does once.
create unique index ledger_transfers_once on ledger_transfers (merchant_id, source_id, kind);
create index ledger_transfers_newest on ledger_transfers (merchant_id, mode, created_at desc, id desc);
create index ledger_transfers_kind on ledger_transfers (merchant_id, mode, kind);
create index ledger_transfers_payment on ledger_transfers (merchant_id, payment_demand_id)
  where payment_demand_id is not null;
create index ledger_transfers_posted on ledger_transfers using brin (posted_in)
  with (pages_per_range = 16, autosummarize = on);
insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
    amount_currency, source_id, payment_demand_id, created_at)
  select merchant_id, mode, uuid7(succeeded_at), 'captured', 'processor', 'merchant', amount_captured_cents,
    amount_currency, id, id, succeeded_at from payment_demands where status = 'succeeded'
  union all
  select merchant_id, mode, uuid7(created_at), 'refund_reserved', 'merchant', 'refunds', amount_cents,
    amount_currency, id, payment_demand_id, created_at from refund_demands
  union all
  select merchant_id, mode, uuid7(updated_at), 'refund_released', 'refunds', 'merchant', amount_cents,
    amount_currency, id, payment_demand_id, updated_at from refund_demands where status = 'failed'
  union all
  select merchant_id, mode, uuid7(succeeded_at), 'refunded', 'refunds', 'processor', amount_cents,
    amount_currency, id, payment_demand_id, succeeded_at from refund_demands where status = 'succeeded';
create trigger ledger_transfers_unchanged before update or delete on ledger_transfers
  for each row execute function refuse_change();
create trigger ledger_transfers_kept before truncate on ledger_transfers
  for each statement execute function refuse_change();

create table disputes (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('needs_response', 'under_review', 'accepted', 'won', 'lost')),
  reason text not null,
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  processor text not null,
  -- The processor's name of it.
  reference text not null,
  evidence_due_at timestamptz not null,
  submitted_at timestamptz,
  closed_at timestamptz,
  product_description text,
  customer_communication text,
  shipping_documentation text,
  refund_policy text,
  uncategorized_text text,
  payment_demand_id uuid not null,
  -- When the processor is to be told something, or the time for evidence is over.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);
create unique index disputes_reference on disputes (processor, mode, reference);
create index disputes_newest on disputes (merchant_id, mode, created_at desc, id desc);
create index disputes_payment on disputes (merchant_id, payment_demand_id);
create index disputes_due on disputes (due_at) where due_at is not null;
create index disputes_status on disputes (merchant_id, mode, status);
create index disputes_reason on disputes (merchant_id, mode, reason);
create index disputes_amount_cents on disputes (merchant_id, mode, amount_cents);
create index disputes_amount_currency on disputes (merchant_id, mode, amount_currency);
create index disputes_evidence_due_at on disputes (merchant_id, mode, evidence_due_at);
create index disputes_updated_at on disputes (merchant_id, mode, updated_at);
create trigger disputes_transition before update on disputes
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('needs_response>under_review', 'needs_response>accepted',
    'needs_response>won', 'needs_response>lost', 'under_review>won', 'under_review>lost', 'accepted>lost',
    'accepted>won');

-- Processors name payments by the attempt that they approved.
create index attempts_reference on attempts (id) where operation = 'authorise';

-- How far the news of a processor have been read.
create table processor_news (
  processor text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  position bigint not null,
  primary key (processor, mode)
);
