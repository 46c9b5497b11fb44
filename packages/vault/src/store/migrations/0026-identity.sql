-- florin: expand
-- Names the vaults of this database, so that operators and cells can tell them from others.
create table vault.identity (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
insert into vault.identity default values;
