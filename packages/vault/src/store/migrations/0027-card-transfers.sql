-- florin: expand
-- One-time keys with which another vault seals the cards of a merchant for this one.
create table vault.card_imports (
  id uuid primary key,
  merchant_id text not null unique,
  root_version integer not null references vault.root_keys,
  wrapped bytea not null,
  -- Pages that were stored, in order.
  pages integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index card_imports_root_version on vault.card_imports (root_version);
alter table vault.card_imports alter wrapped set statistics 0;
-- Whether a card came from another vault. Only such cards are destroyed because the other vault no longer has them.
alter table vault.cards add column arrived boolean not null default false;
