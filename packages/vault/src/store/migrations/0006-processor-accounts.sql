-- Secrets of accounts at payment processors. An account's secrets are sent to its origins only.
create table vault.processor_accounts (
  account_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  origins text[] not null,
  stored_at timestamptz not null,
  primary key (account_id, mode)
);

create table vault.processor_secrets (
  account_id text not null,
  mode text not null,
  name text not null,
  root_version integer not null references vault.root_keys,
  wrapped bytea not null,
  stored_at timestamptz not null,
  primary key (account_id, mode, name),
  foreign key (account_id, mode) references vault.processor_accounts on delete cascade
);
create index processor_secrets_root_version on vault.processor_secrets (root_version);
-- Statistics of a column would copy its values.
alter table vault.processor_secrets alter wrapped set statistics 0;
