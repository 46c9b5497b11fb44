-- Proves that a root key file is the one the wrapped keys of this database were made with.
create table vault.root_key (
  only_row boolean primary key default true check (only_row),
  check_value bytea not null
);

-- Key encryption keys, wrapped by the root key. The highest version seals new records.
create table vault.keks (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  version integer not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, mode, version)
);

create table vault.fingerprint_keys (
  merchant_id text primary key,
  wrapped bytea not null,
  created_at timestamptz not null
);

-- Several may be valid at once. The newest of a mode is published; a retired one still opens what it sealed.
create table vault.sealing_keys (
  kid text primary key,
  mode text not null check (mode in ('live', 'sandbox')),
  x text not null,
  y text not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table vault.cards (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  token text not null,
  bin text not null check (length(bin) = 6),
  last_four text not null check (length(last_four) = 4),
  brand text not null,
  expiry_month integer not null,
  expiry_year integer not null,
  fingerprint text not null,
  kek_version integer not null,
  wrapped_dek bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, mode, token),
  foreign key (merchant_id, mode, kek_version) references vault.keks (merchant_id, mode, version)
);

-- UNLOGGED keeps verification values out of the write-ahead log, replicas and archives.
create unlogged table vault.cvvs (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  token text not null,
  kek_version integer not null,
  wrapped_dek bytea not null,
  ciphertext bytea not null,
  expires_at timestamptz not null,
  primary key (merchant_id, mode, token)
);
create index cvvs_expires_at on vault.cvvs (expires_at);

-- Which relayed request used up which verification value.
create table vault.cvv_uses (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  token text not null,
  request_id text not null,
  used_at timestamptz not null,
  primary key (merchant_id, mode, token)
);
create index cvv_uses_used_at on vault.cvv_uses (used_at);

-- Sealed values that were opened. The key is global: one must not be replayed by any merchant.
create table vault.sealed_seen (
  jti text primary key,
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  sid text not null,
  purpose text not null check (purpose in ('pan', 'cvv')),
  token text not null,
  expires_at timestamptz not null
);
create index sealed_seen_expires_at on vault.sealed_seen (expires_at);
