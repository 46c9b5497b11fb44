-- florin: expand
-- An operator may confirm a payment that its processor captured, although Florin began to reverse it. Older processes
-- never make this change, and accept its result.
drop trigger attempts_transition on attempts;
create trigger attempts_transition before update on attempts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('sending>approved', 'sending>declined', 'sending>unknown',
    'sending>not_sent', 'sending>reversing', 'unknown>approved', 'unknown>declined', 'unknown>reversing',
    'approved>reversing', 'declined>reversing', 'reversing>reversed', 'reversing>abandoned', 'reversing>approved',
    'abandoned>reversing', 'abandoned>reversed');
