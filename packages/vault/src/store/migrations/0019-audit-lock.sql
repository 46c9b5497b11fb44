-- florin: expand
-- Vaults append to the audit in sequence while they hold this row. Advisory locks are open to every login of the
-- database: one that held the lock of the audit could keep entries out of it.
create table vault.audit_lock (
  only_row boolean primary key default true check (only_row)
);
insert into vault.audit_lock default values;
