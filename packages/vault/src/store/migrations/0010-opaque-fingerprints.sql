-- Ids that stand for fingerprints outside of the vault. Fingerprints that left it before this migration keep their value
-- as id, so that stored cards are still recognised; new ones are random.
create table vault.fingerprint_ids (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  mark text not null,
  id text not null,
  used_at timestamptz not null,
  primary key (merchant_id, mode, mark),
  unique (merchant_id, mode, id)
);
create index fingerprint_ids_used_at on vault.fingerprint_ids (used_at);
-- Statistics of a column would copy its values.
alter table vault.fingerprint_ids alter mark set statistics 0;
insert into vault.fingerprint_ids (merchant_id, mode, mark, id, used_at)
  select merchant_id, mode, fingerprint, fingerprint, max(created_at) from vault.cards
  group by merchant_id, mode, fingerprint;
