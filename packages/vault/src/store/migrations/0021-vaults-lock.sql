-- florin: expand
-- Vaults decide about versions of root keys in sequence while they hold this row. Advisory locks are open to every login
-- of the database: one that held the lock could stop starts and rotations.
create table vault.vaults_lock (
  only_row boolean primary key default true check (only_row)
);
insert into vault.vaults_lock default values;
