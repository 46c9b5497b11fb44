-- Accounts at payment processors. Secrets are in the vault; secret_names only lists them.
create table processor_accounts (
  id uuid primary key,
  -- Null: every merchant may use the account.
  merchant_id uuid references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  processor text not null,
  name text not null,
  status text not null default 'untested' check (status in ('untested', 'enabled', 'paused', 'removed')),
  settings jsonb not null,
  secret_names jsonb not null default '[]',
  -- Null: all that the processor takes.
  currencies jsonb,
  networks jsonb,
  descriptor text,
  -- Why the processor refused the credentials at the last check; null if it accepted them.
  check_failure text,
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index processor_accounts_name on processor_accounts (mode, name) where status <> 'removed';

-- Operators' changes of processor accounts. account_id is null for a command on the server itself.
create table processor_account_entries (
  id uuid primary key,
  processor_account_id uuid not null references processor_accounts (id),
  account_id uuid references accounts (id),
  action text not null,
  details jsonb not null,
  created_at timestamptz not null
);
create index processor_account_entries_account on processor_account_entries (processor_account_id, created_at desc, id desc);

-- An attempt belongs to one account for good; null: the simulated network. No row has the new columns yet, so their
-- constraint needs no look at the table.
alter table attempts
  add column processor_account_id uuid,
  add column processor_reference text,
  add column codes jsonb,
  add column advice text,
  add column route jsonb;
alter table attempts add foreign key (processor_account_id) references processor_accounts (id) not valid;
create index attempts_processor_account on attempts (processor_account_id, processor_reference)
  where processor_account_id is not null;

-- The authorisation's reference at the processor, for the messages of a capture or refund.
alter table attempts add column authorisation_reference text;

-- Which accounts take a payment: the first rule that matches decides.
create table routing_rules (
  id uuid primary key,
  -- Null: a rule for every merchant.
  merchant_id uuid references merchants (id),
  mode text not null check (mode in ('live', 'sandbox')),
  position integer not null,
  name text not null,
  conditions jsonb not null,
  -- Ids of processor accounts in order of preference; 'network' is the simulated network.
  accounts jsonb not null,
  created_at timestamptz not null,
  unique (mode, position)
);
