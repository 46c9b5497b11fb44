-- `ledger verify` and sandbox resets look for the lines of a merchant's records.
create index settlement_entries_source on settlement_entries (merchant_id, source_id)
  where merchant_id is not null;
create index processor_report_lines_source on processor_report_lines (merchant_id, source_id)
  where merchant_id is not null;
drop index processor_report_lines_merchant;

-- The last merchant to whom the day `paid_on` is paid out, in the order of their ids.
alter table settlement_progress
  add column paid_on date,
  add column paid_through uuid;
