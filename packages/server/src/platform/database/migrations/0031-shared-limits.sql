-- Tries to sign in, and letters that were asked for, counted for all processes until the window ends. A subject is a keyed
-- hash, so that no address can be read here. It belongs to no merchant: accounts do not.
create table access_tries (
  subject text not null primary key,
  tries integer not null,
  expires_at timestamptz not null
);
create index access_tries_expires on access_tries (expires_at);

-- Requests of people that are done once however often they are sent, with what was answered.
create table account_requests (
  account_id uuid not null references accounts (id),
  key text not null,
  request_hash text not null,
  made_id uuid not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index account_requests_over on account_requests (created_at);

-- What each work loop of each process did last. A process that ends takes its rows along; those of one that died stay.
create table heartbeats (
  process_id uuid not null,
  loop text not null,
  host text not null,
  pid integer not null,
  poll_ms integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  stepped_at timestamptz,
  error text,
  error_at timestamptz,
  primary key (process_id, loop)
);
create index heartbeats_seen on heartbeats (seen_at);

-- Cards that the vault could not destroy keep a reset waiting for some steps, and no longer.
alter table sandbox_resets
  add column stuck_steps integer not null default 0,
  add column kept_cards integer not null default 0,
  -- The last card that was tried of a round through all that are left; the next step goes on behind it.
  add column cards_after uuid;

-- What anybody causes who knows an address, such as a wrong password, is one entry of the account, which all merchants are shown
-- whose member it is.
alter table audit_entries add column by_anybody boolean not null default false;
create index audit_entries_by_anybody on audit_entries (account_id, created_at desc, id desc) where by_anybody;
