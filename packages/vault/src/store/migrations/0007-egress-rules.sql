-- Messages that an account may send, as its adapter declares them. Null: any path of its origins.
alter table vault.processor_accounts add egress jsonb;
