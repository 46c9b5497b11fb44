-- Attempt whose outcome lets the payment ask a second account; null while no other account is asked.
alter table payment_demands add column fallback_after jsonb;

-- Outcomes of the first account after which the second is asked.
alter table routing_rules add column fallback text not null default 'not_sent'
  check (fallback in ('none', 'not_sent', 'declined'));

-- A decline that turns out to be an approval after a second account was asked is reversed.
drop trigger attempts_transition on attempts;
create trigger attempts_transition before update on attempts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('sending>approved', 'sending>declined', 'sending>unknown',
    'sending>not_sent', 'sending>reversing', 'unknown>approved', 'unknown>declined', 'unknown>reversing',
    'approved>reversing', 'declined>reversing', 'reversing>reversed', 'reversing>abandoned',
    'abandoned>reversing', 'abandoned>reversed');
