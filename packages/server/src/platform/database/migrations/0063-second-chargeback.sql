-- A processor may take a disputed amount again after it has returned it.
alter table disputes
  add column second_chargeback_at timestamptz,
  -- Decision about a second chargeback, also one that the merchant won.
  add column second_round_at timestamptz;

drop trigger disputes_transition on disputes;
create trigger disputes_transition before update on disputes
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('needs_response>under_review', 'needs_response>accepted',
    'needs_response>won', 'needs_response>lost', 'under_review>won', 'under_review>lost', 'accepted>lost',
    'accepted>won', 'under_review>needs_response', 'accepted>needs_response', 'won>lost');
