-- An account that is gone takes no refunds of its payments either.
alter table processor_details add column removed_at timestamptz;
update processor_details d set removed_at = a.updated_at
  from processor_accounts a where a.id = d.processor_account_id and a.status = 'removed';

-- An operator's note about a row of a report that no payment explains.
alter table processor_report_lines
  add column acknowledged_at timestamptz,
  add column acknowledged_by uuid references accounts (id),
  add column acknowledgement text;
