-- Settlement reports of processor accounts. Each is stored once, as it was downloaded.
create table processor_reports (
  id uuid primary key,
  processor_account_id uuid not null references processor_accounts (id),
  mode text not null check (mode in ('live', 'sandbox')),
  name text not null,
  location text not null,
  -- announced: to download. downloaded: to read. booked: its lines are stored, to compare. compared: done.
  -- refused: an operator decides.
  status text not null default 'announced'
    check (status in ('announced', 'downloaded', 'booked', 'compared', 'refused')),
  -- SHA-256 in hex of the content.
  hash text,
  content text,
  -- Why the last try failed, or why the report is refused.
  failure text,
  -- Whether the rows of each batch sum to its payout; none: the report has no payout.
  control text check (control in ('matches', 'differs', 'none')),
  -- Rows of other accounts, which are left out.
  others integer,
  tries integer not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (processor_account_id, name)
);
create index processor_reports_due on processor_reports (mode, due_at) where due_at is not null;
create index processor_reports_newest on processor_reports (processor_account_id, id desc);
-- The same content under another name is booked once.
create unique index processor_reports_once on processor_reports (processor_account_id, hash)
  where status in ('booked', 'compared');

create table processor_report_lines (
  report_id uuid not null references processor_reports (id),
  line integer not null check (line > 0),
  processor_account_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  kind text not null check (kind in ('capture', 'refund', 'chargeback', 'capture_reversed', 'refund_reversed',
    'chargeback_reversed', 'fee', 'adjustment', 'payout', 'carried_over', 'quarantined')),
  batch text not null,
  authorisation_reference text,
  processor_reference text,
  attempt_id uuid,
  demand_id uuid,
  -- What the payer paid (positive) or got back, in 10^-8 of the major unit; null for lines of a batch.
  gross_amount numeric(38, 0),
  -- The same in minor units, above 0.
  amount_cents bigint check (amount_cents > 0),
  amount_currency text,
  -- In 10^-8 of the major unit; null if the row has no readable amount.
  net_amount numeric(38, 0),
  net_currency text,
  -- Costs by part, in 10^-8 of the major unit of net_currency.
  fees jsonb not null default '{}',
  -- Why the row is quarantined.
  why text,
  -- Null: to compare with the ledger.
  outcome text check (outcome in ('batch', 'settled', 'exception', 'unmatched', 'quarantined')),
  -- Time of the last comparison of a line that waits for an outcome.
  compared_at timestamptz,
  -- Whether an exception tells of the wait.
  is_flagged boolean not null default false,
  merchant_id uuid,
  source_id uuid,
  primary key (report_id, line)
);
create index processor_report_lines_open on processor_report_lines (report_id, line) where outcome is null;
create index processor_report_lines_attention on processor_report_lines (report_id, line)
  where outcome in ('unmatched', 'quarantined');
create index processor_report_lines_merchant on processor_report_lines (merchant_id)
  where merchant_id is not null;

-- The operator's ledger: what a report moves, once for each kind and currency.
create table processor_transfers (
  id uuid primary key,
  processor_account_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  report_id uuid not null references processor_reports (id),
  kind text not null,
  debit_account text not null,
  credit_account text not null check (credit_account <> debit_account),
  -- In 10^-8 of the major unit.
  amount numeric(38, 0) not null check (amount > 0),
  currency text not null,
  created_at timestamptz not null,
  unique (report_id, kind, currency)
);
create trigger processor_transfers_unchanged before update or delete on processor_transfers
  for each row execute function refuse_change();

-- When an account is asked for new reports, where notifications announce none.
create table processor_report_lists (
  processor_account_id uuid primary key references processor_accounts (id),
  mode text not null check (mode in ('live', 'sandbox')),
  -- Reports up to here are known.
  listed_until timestamptz not null,
  failure text,
  tries integer not null default 0,
  due_at timestamptz not null
);

alter table settlement_exceptions drop constraint settlement_exceptions_kind_check;
alter table settlement_exceptions add constraint settlement_exceptions_kind_check check (kind in
  ('missing_in_file', 'missing_here', 'amount_differs', 'currency_differs', 'duplicate', 'reversed', 'outcome_unknown'))
  not valid;
