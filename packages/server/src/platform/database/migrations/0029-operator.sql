-- A measure against a merchant counts while it is in force. None did before, so those that are there are over.
alter table merchant_punitive_actions
  add column status text not null default 'lifted' check (status in ('in_force', 'lifted')),
  add column reason text,
  add column lifted_at timestamptz;
update merchant_punitive_actions set lifted_at = updated_at;
alter table merchant_punitive_actions
  alter column status drop default,
  add check ((status = 'lifted') = (lifted_at is not null));
create trigger merchant_punitive_actions_transition before update on merchant_punitive_actions
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('in_force>lifted');
-- Looked at with every key, and for every payment that is taken up.
create unique index merchant_punitive_actions_in_force
  on merchant_punitive_actions (merchant_id, mode, action) where status = 'in_force';

create trigger red_flags_transition before update on red_flags
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('active>warned', 'active>penalized', 'active>cleared',
    'warned>penalized', 'warned>cleared', 'penalized>warned', 'penalized>cleared');

-- When a merchant is to be looked at again, and whether somebody is at it.
alter table merchants
  add column review_due_at timestamptz,
  add column review_started_at timestamptz,
  add column reviewed_at timestamptz;
update merchants set review_due_at = active_at + interval '1 year' where active_at is not null;
create index merchants_review_due on merchants (review_due_at) where review_due_at is not null;
create index merchants_newest on merchants (created_at, id);

-- What operators have done about merchants, and why. A request is one entry, however often it is sent.
create table oversight_entries (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  mode text check (mode in ('live', 'sandbox')),
  account_id uuid not null references accounts (id),
  kind text not null check (kind in ('note', 'approve', 'start_review', 'finish_review', 'raise_flag',
    'warn_flag', 'penalize_flag', 'clear_flag', 'quarantine', 'ban', 'lift')),
  red_flag_id uuid,
  -- What was said about it, for operators alone where it is a note.
  reason text not null,
  -- What else the request asked for, as JSON: another request of its key is told from it by this as well.
  details text not null,
  request_key text not null,
  created_at timestamptz not null,
  unique (account_id, request_key)
);
create index oversight_entries_of_merchant on oversight_entries (merchant_id, created_at desc, id desc);

-- Counts changes of who may do what: processes look up again what they remember of it when it has moved.
create table access_epoch (
  only_row boolean primary key default true check (only_row),
  epoch bigint not null
);
insert into access_epoch (epoch) values (1);

-- Messages whose outcome nobody knows, longest first.
create index attempts_unanswered on attempts ((coalesce(unknown_since, updated_at)), id)
  where status in ('unknown', 'reversing');
-- Differences that nobody has explained.
create index settlement_exceptions_open on settlement_exceptions (created_at, id) where status = 'open';
