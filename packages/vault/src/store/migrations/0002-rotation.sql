-- Keys that rotate, verification values under keys of minutes, cards that nobody keeps, and an audit.
set local statement_timeout = 0;

-- Versions of the root key. The highest wraps new keys; what a lower one wrapped is wrapped anew, and then it goes.
-- The references to it are what keeps a version that something still needs.
create table vault.root_keys (
  version integer primary key check (version > 0),
  provider text not null,
  check_value bytea not null,
  created_at timestamptz not null,
  rotate_at timestamptz not null,
  destroy_at timestamptz
);
insert into vault.root_keys (version, provider, check_value, created_at, rotate_at)
  select 1, 'file', check_value, now(), now() + interval '365 days' from vault.root_key;
drop table vault.root_key;

-- `rewrap_cursor` names the last card that this version has taken over, '' before the first; null where all are.
alter table vault.keks
  add root_version integer not null default 1 references vault.root_keys,
  add rotate_at timestamptz,
  add rewrap_cursor text,
  add destroy_at timestamptz,
  add destroyed_at timestamptz;
update vault.keks set rotate_at = created_at + interval '90 days';
create index keks_root_version on vault.keks (root_version);
create index keks_rotate_at on vault.keks (rotate_at);

alter table vault.fingerprint_keys
  add root_version integer not null default 1 references vault.root_keys;
create index fingerprint_keys_root_version on vault.fingerprint_keys (root_version);

-- From `active_at` on forms seal with a key; before, it is only published.
alter table vault.sealing_keys
  add root_version integer not null default 1 references vault.root_keys,
  add active_at timestamptz;
update vault.sealing_keys set active_at = created_at;
alter table vault.sealing_keys alter active_at set not null;

-- A card belongs to nobody until a payment method has it. Those that are here already are somebody's.
alter table vault.cards add attached_at timestamptz default now();
alter table vault.cards alter attached_at drop default;
create index cards_unattached on vault.cards (created_at) where attached_at is null;
-- The order in which a rotation goes: about that in which the rows lie, so that it touches each page of them once.
create index cards_created_at on vault.cards (merchant_id, mode, created_at, token);

-- Verification values lie under keys that are deleted with them. Both tables are UNLOGGED: neither is in the
-- write-ahead log, and a crash of the database empties both.
drop table vault.cvv_uses;
drop table vault.cvvs;
create unlogged table vault.cvv_epochs (
  id uuid primary key,
  mode text not null check (mode in ('live', 'sandbox')),
  root_version integer not null references vault.root_keys,
  wrapped bytea not null,
  opened_at timestamptz not null,
  destroy_at timestamptz not null
);
create unlogged table vault.cvvs (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  token text not null,
  epoch_id uuid not null references vault.cvv_epochs on delete cascade,
  ciphertext bytea not null,
  expires_at timestamptz not null,
  primary key (merchant_id, mode, token)
);
create index cvvs_expires_at on vault.cvvs (expires_at);
create index cvvs_epoch_id on vault.cvvs (epoch_id);

-- Each entry holds the hash of the one before it, so that none can be changed or left out unseen.
create table vault.audit (
  seq bigint primary key,
  at timestamptz not null,
  actor text not null,
  verb text not null,
  merchant_id text,
  mode text,
  token_hash text,
  outcome text not null,
  prev_hash bytea not null,
  hash bytea not null
);
create function vault.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on vault.audit
  for each row execute function vault.refuse_change();
create trigger append_only_whole before truncate on vault.audit
  for each statement execute function vault.refuse_change();
revoke update, delete, truncate on vault.audit from current_user;
