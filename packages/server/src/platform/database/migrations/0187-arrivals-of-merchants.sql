-- florin: expand
-- The move that brought a merchant into this cell, written with the copy. A cell that was restored to an earlier stay of the
-- merchant has another move here, or none.
create table arrivals (
  merchant_id uuid primary key,
  move_id uuid not null
);

-- Stops that a restore made: no command works on them, so they need no triggers.
alter table stopped_merchants add column by_restore boolean not null default false;
