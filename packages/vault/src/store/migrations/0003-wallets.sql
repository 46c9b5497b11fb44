-- Cards that wallets give, the keys that wallets encrypt for, and cryptograms beside verification values.
set local statement_timeout = 0;

-- What a wallet encrypts for; the newest of a mode is published, and the older ones still open.
create table vault.wallet_keys (
  mode text not null check (mode in ('live', 'sandbox')),
  wallet text not null check (wallet in ('apple_pay', 'google_pay')),
  key_id text not null,
  public_key text not null,
  root_version integer not null references vault.root_keys,
  wrapped bytea not null,
  created_at timestamptz not null,
  primary key (mode, wallet, key_id)
);
create index wallet_keys_root_version on vault.wallet_keys (root_version);

-- `authenticated`: the device proved who paid, and a cryptogram came with the card.
alter table vault.cards
  add wallet text check (wallet in ('apple_pay', 'google_pay')),
  add authenticated boolean,
  add eci text check (eci ~ '^[0-9]{2}$'),
  add check ((wallet is null) = (authenticated is null));

-- A wallet's token is used up as a sealed value is: by the hash of the id that the wallet gave it.
alter table vault.sealed_seen
  drop constraint sealed_seen_purpose_check,
  add constraint sealed_seen_purpose_check check (purpose in ('pan', 'cvv', 'cryptogram'));
