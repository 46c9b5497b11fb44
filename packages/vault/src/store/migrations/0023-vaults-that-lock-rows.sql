-- florin: expand
-- Whether a vault locks the row of `vault.vaults_lock`. Vaults of earlier releases know the advisory lock alone.
alter table vault.vaults add column locks_row boolean not null default false;
