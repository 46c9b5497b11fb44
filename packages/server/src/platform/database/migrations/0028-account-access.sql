-- What an account is, beyond its password.
alter table accounts
  -- Runs the installation: sees every merchant, and acts on them at addresses of its own.
  add column operator boolean not null default false,
  add column email_verified_at timestamptz,
  -- The language of mails to it.
  add column locale text not null default 'en',
  -- Sealed. In use from its confirmation on; the step of the last code that was taken is not taken again.
  add column totp_secret text,
  add column totp_confirmed_at timestamptz,
  add column totp_step bigint,
  add check (totp_confirmed_at is null or totp_secret is not null);
-- Who could sign in before addresses were verified goes on doing so.
update accounts set email_verified_at = created_at where password_hash is not null;

-- A person who has signed in at one browser. The token is random and long, so a plain hash of it is enough.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  token_hash bytea not null unique,
  -- The password was right and a second factor is asked for: it is good for showing that alone.
  awaits_factor boolean not null default false,
  -- Until then what takes a sign-in that is not long ago needs none.
  fresh_until timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null
);
create index sessions_of_account on sessions (account_id, seen_at desc) where ended_at is null;
create index sessions_over on sessions (expires_at);

create table recovery_codes (
  account_id uuid not null references accounts (id),
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports jsonb not null,
  name text not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index passkeys_of_account on passkeys (account_id);

-- What a browser is to sign with a passkey: once, and soon.
create table passkey_challenges (
  challenge_hash bytea primary key,
  -- Whose passkey is to be added; null where somebody signs in with one.
  account_id uuid references accounts (id),
  expires_at timestamptz not null
);
create index passkey_challenges_over on passkey_challenges (expires_at);

-- Links in mails, each good for one thing, once.
create table account_links (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'invitation', 'change_email')),
  token_hash bytea not null unique,
  -- Of a change the new address.
  email text,
  -- Of an invitation.
  merchant_id uuid,
  membership_id uuid,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  foreign key (merchant_id, membership_id) references memberships (merchant_id, id) on delete cascade
);
create index account_links_of_account on account_links (account_id, purpose) where used_at is null;
create index account_links_of_membership on account_links (merchant_id, membership_id)
  where membership_id is not null;
create index account_links_over on account_links (expires_at);

-- What people with an account are told. Links are made when a letter is written out, so that none is kept here; what a
-- letter said is kept, sealed, only where nothing sends mail and it is read here.
create table account_letters (
  id uuid primary key,
  kind text not null,
  to_email text not null,
  locale text not null,
  facts jsonb not null,
  body text,
  tries_count integer not null default 0,
  failure_reason text,
  due_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null
);
create index account_letters_due on account_letters (due_at) where due_at is not null;
create index account_letters_kept on account_letters (created_at, id);

-- What people have done. An entry is there before what it tells of, and has no outcome until that is over.
create table audit_entries (
  id uuid primary key,
  account_id uuid not null,
  merchant_id uuid,
  mode text check (mode in ('live', 'sandbox')),
  -- Method and route, such as `PATCH /v2/payment_demands/:id/confirm`.
  action text not null,
  record_id uuid,
  -- The HTTP status.
  outcome integer,
  ip text not null,
  created_at timestamptz not null
);
create index audit_entries_of_merchant on audit_entries (merchant_id, created_at desc, id desc);
create index audit_entries_of_account on audit_entries (account_id, created_at desc, id desc);
create index audit_entries_of_record on audit_entries (merchant_id, record_id, created_at desc)
  where record_id is not null;
create index audit_entries_over on audit_entries (created_at);

-- When the account that opened a merchant has told all that is asked of it.
alter table merchants add column submitted_at timestamptz;
update merchants set submitted_at = active_at;

-- The account that is paid out to. Its number is sealed.
alter table financial_institutions
  add column holder_name text,
  add column routing_number text,
  add column account_number text,
  add column account_last_four text;

-- Who is no member any more stays as a record, and can be invited again.
alter table memberships
  add column removed_at timestamptz,
  drop constraint memberships_merchant_id_account_id_key,
  add check (removed_at is null or accepted_at is null);
create unique index memberships_merchant_id_account_id_key on memberships (merchant_id, account_id)
  where removed_at is null;
