-- How much of its files of tombstones each vault has applied to this database. A restored database knows an earlier
-- place, so that the vault applies the rest again.
create table vault.tombstone_places (
  vault text not null,
  file text not null,
  bytes bigint not null,
  primary key (vault, file)
);
