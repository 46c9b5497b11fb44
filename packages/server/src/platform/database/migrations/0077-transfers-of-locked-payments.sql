-- The transaction that stores a transfer has locked its payment. See ADR 67, and `florin ledger verify`.
-- Dropping a key locks the referenced table too. Named here, the runner takes all locks at once.
lock table payment_demands in access exclusive mode;
alter table ledger_transfers drop constraint ledger_transfers_merchant_id_payment_demand_id_fkey;
