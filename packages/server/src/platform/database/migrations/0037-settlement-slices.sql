-- How far transfers of a day were looked through that its file lacks; null where that has not begun.
alter table settlement_progress add column missed_until timestamptz;
