-- The key that signs heads of the audit, of which there is one.
create table vault.audit_keys (
  kid text primary key,
  only_row boolean not null unique default true check (only_row),
  public_key bytea not null,
  root_version integer not null references vault.root_keys,
  wrapped bytea not null,
  created_at timestamptz not null
);
create index audit_keys_root_version on vault.audit_keys (root_version);

-- PostgreSQL samples the values of columns for its planner, and keeps them in a table that is logged and outlives the
-- rows: sealed values and wrapped keys would stay there after they are deleted. Putting the type anew drops what is there.
alter table vault.cvvs alter ciphertext type bytea, alter ciphertext set statistics 0;
alter table vault.cvv_epochs alter wrapped type bytea, alter wrapped set statistics 0;
alter table vault.cards
  alter ciphertext type bytea, alter ciphertext set statistics 0,
  alter wrapped_dek type bytea, alter wrapped_dek set statistics 0;
alter table vault.keks alter wrapped type bytea, alter wrapped set statistics 0;
alter table vault.fingerprint_keys alter wrapped type bytea, alter wrapped set statistics 0;
alter table vault.sealing_keys alter wrapped type bytea, alter wrapped set statistics 0;
alter table vault.wallet_keys alter wrapped type bytea, alter wrapped set statistics 0;
alter table vault.root_keys alter check_value type bytea, alter check_value set statistics 0;
alter table vault.audit_keys alter wrapped set statistics 0;
