-- What came of a settlement exception. Those that were resolved before have no other word of it.
alter table settlement_exceptions
  add column resolution_note text,
  add column resolved_at timestamptz;
update settlement_exceptions set resolved_at = updated_at, resolution_note = 'Resolved in the database.'
  where status = 'resolved';
alter table settlement_exceptions
  add check ((status = 'resolved') = (resolved_at is not null)),
  add check (status = 'open' or resolution_note is not null);
create trigger settlement_exceptions_transition before update on settlement_exceptions
  for each row when (old.status is distinct from new.status)
  execute function assert_transition('open>resolved');
