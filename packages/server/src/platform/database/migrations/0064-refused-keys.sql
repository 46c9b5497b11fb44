-- Messages of an account whose key the processor refused, since the last accepted one. A row an account.
create table processor_account_key_refusals (
  processor_account_id uuid primary key references processor_accounts (id),
  count bigint not null check (count > 0),
  since timestamptz not null,
  last_at timestamptz not null,
  -- HTTP status of the last answer: 401 or 403.
  last_status integer not null
);
