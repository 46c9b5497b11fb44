-- Updates and actions have keys as well as creates. A key that came in a header is forgotten some time after
-- it expires; one that is an attribute of the record it made stays with it.
alter table idempotency_keys
  add column operation text not null default 'create',
  add column expires_at timestamptz,
  drop constraint idempotency_keys_pkey,
  add primary key (merchant_id, mode, resource_type, operation, key);
alter table idempotency_keys alter column operation drop default;
create index idempotency_keys_expiry on idempotency_keys (expires_at) where expires_at is not null;
