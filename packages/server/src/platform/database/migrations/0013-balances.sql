-- What merchants have, brought forward from the transfers of the ledger by one worker at a time.
create table balances (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  amount_currency text not null,
  owed_cents bigint not null,
  unsettled_cents bigint not null,
  available_cents bigint not null generated always as (owed_cents - unsettled_cents) stored,
  reserved_cents bigint not null,
  disputed_cents bigint not null,
  fees_cents bigint not null,
  paid_out_cents bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create unique index balances_currency on balances (merchant_id, mode, amount_currency);

-- How far the balances were brought forward: they have all transfers of transactions before this one, and no other.
create table balance_horizon (
  only_one boolean primary key default true check (only_one),
  posted_before bigint not null
);
insert into balance_horizon (posted_before) values (0);

create table payouts (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('pending', 'paid')),
  amount_cents bigint not null check (amount_cents > 0),
  amount_currency text not null,
  settled_on date not null,
  paid_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
-- A day is paid out once, whoever tries.
create unique index payouts_once on payouts (merchant_id, mode, settled_on, amount_currency);
create index payouts_newest on payouts (merchant_id, mode, created_at desc, id desc);
create index payouts_status on payouts (merchant_id, mode, status);
create index payouts_updated_at on payouts (merchant_id, mode, updated_at);

-- The day whose file is to be read from a processor next, and its part; no part where all are read.
create table settlement_progress (
  processor text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  day date not null,
  part integer check (part > 0),
  -- When the processor is asked again that had no file yet.
  due_at timestamptz not null,
  primary key (processor, mode)
);

-- What a processor says of a day: how many entries its file has, and the sum of their amounts, whatever their currencies.
create table settlement_files (
  processor text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  day date not null,
  entry_count integer not null,
  entry_sum bigint not null,
  created_at timestamptz not null,
  primary key (processor, mode, day)
);

create table settlement_entries (
  processor text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  day date not null,
  line integer not null check (line > 0),
  entry text not null check (entry in ('capture', 'refund', 'dispute')),
  reference text not null,
  authorisation text not null,
  amount_cents bigint not null,
  amount_currency text not null,
  -- What came of comparing it; null until what it is about has an outcome here.
  outcome text check (outcome in ('settled', 'exception', 'unknown_merchant')),
  -- The day with whose file it was last compared.
  compared_on date,
  -- Whose it is, and the record whose transfer it confirms.
  merchant_id uuid,
  source_id uuid,
  primary key (processor, mode, day, line)
);
create index settlement_entries_open on settlement_entries (processor, mode, day, line) where outcome is null;

create table settlement_exceptions (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  status text not null check (status in ('open', 'resolved')),
  kind text not null check (kind in ('missing_in_file', 'missing_here', 'amount_differs', 'currency_differs', 'duplicate')),
  entry text not null check (entry in ('capture', 'refund', 'dispute')),
  settled_on date not null,
  processor_reference text not null,
  expected_cents bigint,
  found_cents bigint,
  amount_currency text not null,
  payment_demand_id uuid,
  -- The record whose transfer it is about.
  source_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_demand_id) references payment_demands (merchant_id, id)
);
create index settlement_exceptions_newest on settlement_exceptions (merchant_id, mode, created_at desc, id desc);
create index settlement_exceptions_status on settlement_exceptions (merchant_id, mode, status);
create index settlement_exceptions_kind on settlement_exceptions (merchant_id, mode, kind);
create index settlement_exceptions_settled_on on settlement_exceptions (merchant_id, mode, settled_on);
create index settlement_exceptions_updated_at on settlement_exceptions (merchant_id, mode, updated_at);
create index settlement_exceptions_payment on settlement_exceptions (merchant_id, payment_demand_id)
  where payment_demand_id is not null;
create index settlement_exceptions_source on settlement_exceptions (merchant_id, source_id)
  where source_id is not null;

-- What a file should have had is looked for among the transfers of some hours, whoever's they are.
create index ledger_transfers_times on ledger_transfers using brin (created_at);
