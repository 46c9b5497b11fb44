-- Scans all customers, and lets payments go on meanwhile.
alter table customers validate constraint customers_merchant_id_merged_into_id_fkey;
alter table customers validate constraint customers_merged_check;
