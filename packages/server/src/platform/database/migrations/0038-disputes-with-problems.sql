-- Disputes that cannot be stored are kept with their problem, so that the news after them are read. What could not be
-- read at all has no contents here; its reference names it at the processor.
alter table waiting_disputes
  alter column attempt_id type text,
  alter column attempt_id drop not null,
  alter column reason drop not null,
  alter column amount_cents drop not null,
  alter column amount_currency drop not null,
  alter column status drop not null,
  add column problem text check (problem in
    ('unreadable', 'not_stored', 'unknown_payment', 'not_approved', 'other_currency')),
  -- When it is tried again; null where its payment is waited for, or nothing can be tried.
  add column due_at timestamptz,
  add check (problem is not distinct from 'unreadable'
    or num_nulls(attempt_id, reason, amount_cents, amount_currency, status) = 0);
