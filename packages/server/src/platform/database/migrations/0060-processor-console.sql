-- Refused notifications of an account since its last accepted one. A row an account, however many arrive.
create table processor_account_refusals (
  processor_account_id uuid primary key references processor_accounts (id),
  count bigint not null check (count > 0),
  since timestamptz not null,
  last_at timestamptz not null,
  last_reason text not null,
  -- SHA-256 of the body in hex: all that is kept of a message without a valid signature.
  last_hash text not null
);

-- The first arrival stays in received_at.
alter table processor_notifications
  add column replayed_at timestamptz,
  add column replayed_by uuid references accounts (id);
create index processor_notifications_account on processor_notifications (processor_account_id, received_at);

-- Disputes that their account decides, while nothing is decided.
create index disputes_of_accounts on disputes (processor_account_id, created_at)
  where processor_account_id is not null and status not in ('won', 'lost');

-- Outcomes that commands on the server ask for. A worker closes the dispute and deletes the row.
create table dispute_closings (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  id uuid not null,
  outcome text not null check (outcome in ('won', 'lost', 'accepted')),
  reason text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

alter table oversight_entries
  drop constraint oversight_entries_kind_check,
  add constraint oversight_entries_kind_check check (kind in ('note', 'approve', 'start_review', 'finish_review',
    'raise_flag', 'warn_flag', 'penalize_flag', 'clear_flag', 'quarantine', 'ban', 'lift', 'close_outcome',
    'close_dispute'));
