-- florin: expand
-- The only merchant whose messages an account sends. Null: every merchant, as before this migration.
alter table vault.processor_accounts add column merchant_id text;
alter table vault.accepted_accounts add column merchant_id text;
alter table vault.refused_accounts add column merchant_id text;
