-- Events of a sandbox whose clock was moved are dated by that clock, so that the log has no order in time by it.
alter table events add column recorded_at timestamptz;
alter table events disable trigger events_unchanged;
update events set recorded_at = created_at;
alter table events enable trigger events_unchanged;
alter table events
  alter column recorded_at set default clock_timestamp(),
  alter column recorded_at set not null;
create index events_recorded_at on events (merchant_id, mode, recorded_at);
