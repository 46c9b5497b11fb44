-- The row is the progress with reports of accounts, not an account.
update settlement_progress set processor = 'account_reports' where processor = 'processor_accounts';
