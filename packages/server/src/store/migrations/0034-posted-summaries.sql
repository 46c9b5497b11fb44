-- Balances look for the newest transfers every second. What the index has not summarised is read whole; a vacuum does
-- so only once a fifth of the table is new.
alter index ledger_transfers_posted set (autosummarize = on);
