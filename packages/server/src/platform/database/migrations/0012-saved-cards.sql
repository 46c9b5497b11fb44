-- What merchants note of records for themselves.
alter table customers add column metadata jsonb;
alter table refund_demands add column metadata jsonb;
alter table capture_demands add column metadata jsonb;
alter table payment_demands
  add column metadata jsonb,
  -- Whether the payer is there, or has agreed before to what is charged now.
  add column initiator text not null default 'customer' check (initiator in ('customer', 'merchant'));

-- What becomes of an approval that is found only long after its answer was lost.
alter table merchants
  add column late_approvals text not null default 'capture' check (late_approvals in ('capture', 'reverse'));

alter table attempts
  -- What the sandbox's network is asked to do with the message.
  add column simulate text,
  -- Of an approval for less than was asked for.
  add column approved_cents bigint check (approved_cents >= 0);
drop trigger attempts_transition on attempts;
create trigger attempts_transition before update on attempts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('sending>approved', 'sending>declined', 'sending>unknown',
    'sending>not_sent', 'sending>reversing', 'unknown>approved', 'unknown>declined', 'unknown>reversing',
    'approved>reversing', 'reversing>reversed');
