-- florin: expand, online
alter table settlement_entries validate constraint settlement_entries_outcome_check;
alter table processor_report_lines validate constraint processor_report_lines_outcome_check;
