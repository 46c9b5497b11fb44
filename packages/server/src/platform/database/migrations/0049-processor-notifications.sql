-- Notifications of processors, stored as they arrived before they are acknowledged.
create table processor_notifications (
  id uuid primary key,
  processor_account_id uuid not null references processor_accounts (id),
  mode text not null check (mode in ('live', 'sandbox')),
  -- SHA-256 of the body: a repeated notification is stored once.
  hash text not null,
  -- In base64, since a body need not be UTF-8.
  body text not null,
  -- applied, ignored: done. unmatched, conflict, failed: an operator decides.
  status text not null default 'received'
    check (status in ('received', 'applied', 'ignored', 'unmatched', 'conflict', 'failed')),
  -- What each fact of the notification did.
  outcomes jsonb,
  tries integer not null default 0,
  -- When a worker applies it; null when nothing is to do.
  due_at timestamptz,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  unique (processor_account_id, hash)
);
create index processor_notifications_due on processor_notifications (due_at) where due_at is not null;
create index processor_notifications_received on processor_notifications (received_at);
create index processor_notifications_open on processor_notifications (id)
  where status in ('unmatched', 'conflict', 'failed');

-- A dispute is answered through the account of its payment.
alter table disputes add column processor_account_id uuid;
