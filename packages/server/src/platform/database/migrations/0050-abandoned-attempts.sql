-- An operator found nothing at the processor, and the payment failed. A late approval is still reversed.
alter table attempts
  drop constraint attempts_status_check,
  add constraint attempts_status_check check (status in ('sending', 'unknown', 'reversing', 'approved', 'declined',
    'not_sent', 'reversed', 'abandoned')),
  add column abandoned_at timestamptz;
drop trigger attempts_transition on attempts;
create trigger attempts_transition before update on attempts
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('sending>approved', 'sending>declined', 'sending>unknown',
    'sending>not_sent', 'sending>reversing', 'unknown>approved', 'unknown>declined', 'unknown>reversing',
    'approved>reversing', 'reversing>reversed', 'reversing>abandoned', 'abandoned>reversing',
    'abandoned>reversed');
-- The payment may have a new attempt while an abandoned one is reversed.
drop index attempts_one_open;
create unique index attempts_one_open
  on attempts (merchant_id, coalesce(refund_demand_id, capture_demand_id, payment_demand_id))
  where status in ('sending', 'unknown', 'reversing') and abandoned_at is null;

alter table oversight_entries
  drop constraint oversight_entries_kind_check,
  add constraint oversight_entries_kind_check check (kind in ('note', 'approve', 'start_review', 'finish_review',
    'raise_flag', 'warn_flag', 'penalize_flag', 'clear_flag', 'quarantine', 'ban', 'lift', 'close_outcome'));
