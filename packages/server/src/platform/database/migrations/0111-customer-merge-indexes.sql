-- Scans all customers. Beside the new columns of migration 94, reads of customers would wait for that too.
create index customers_merged_at
  on customers (merchant_id, mode, merged_at) where merged_at is not null;
create index customers_merged_into
  on customers (merchant_id, merged_into_id) where merged_into_id is not null;
