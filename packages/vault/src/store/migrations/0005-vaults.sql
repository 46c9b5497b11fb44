-- The vaults of this database: processes, each with a directory or token of its own for root keys. None is ever given a
-- version of the root key to use that it does not hold.
create table vault.vaults (
  id uuid primary key,
  name text not null,
  holds integer[] not null default '{}',
  seen_at timestamptz not null
);
create index vaults_name on vault.vaults (name);

-- The next version of the root key, from when it is made until every vault holds it. Those of vault.root_keys wrap, or did.
create table vault.staged_root_keys (
  version integer primary key,
  only_row boolean not null unique default true check (only_row),
  provider text not null,
  fingerprint text,
  check_value bytea not null,
  created_at timestamptz not null
);
alter table vault.staged_root_keys alter check_value set statistics 0;

-- Names a key and tells nothing of it; null where an HSM keeps it.
alter table vault.root_keys add fingerprint text;
