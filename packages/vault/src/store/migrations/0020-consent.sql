-- florin: expand
-- Accounts at processors as an operator accepted them. In production, cards and secrets leave by these only: the other
-- tables hold what the server stored.
create table vault.accepted_accounts (
  account_id text not null,
  mode text not null,
  origins text[] not null,
  egress jsonb,
  accepted_at timestamptz not null,
  primary key (account_id, mode),
  foreign key (account_id, mode) references vault.processor_accounts on delete cascade
);

create table vault.accepted_secrets (
  account_id text not null,
  mode text not null,
  name text not null,
  root_version integer not null references vault.root_keys,
  wrapped bytea not null,
  -- Time at which the server stored this value.
  stored_at timestamptz not null,
  primary key (account_id, mode, name),
  foreign key (account_id, mode) references vault.accepted_accounts on delete cascade
);
create index accepted_secrets_root_version on vault.accepted_secrets (root_version);
-- Statistics of a column would copy its values.
alter table vault.accepted_secrets alter wrapped set statistics 0;

-- Accounts of before are in use, so an upgrade must not stop their payments.
insert into vault.accepted_accounts (account_id, mode, origins, egress, accepted_at)
  select account_id, mode, origins, egress, now() from vault.processor_accounts;
insert into vault.accepted_secrets (account_id, mode, name, root_version, wrapped, stored_at)
  select account_id, mode, name, root_version, wrapped, stored_at from vault.processor_secrets;
