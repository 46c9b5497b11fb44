-- Ties the stamps of transfers to the transaction counter of this cluster. A stamp is the transaction's id plus
-- `stamp_offset`. The row is never updated, so its `xmin` is `anchored_in` where it was written, and nowhere else: a dump
-- that is restored, a copy by replication, or a rewrite of the table gives it another one.
create table ledger_anchor (
  only_one boolean primary key default true check (only_one),
  stamp_offset bigint not null,
  anchored_in bigint not null default pg_current_xact_id()::text::bigint
);

-- The stamp of a transfer. Refuses to give one until the ledger is anchored in this cluster.
create function ledger_stamp() returns bigint
language plpgsql as $$
declare stamp bigint;
begin
  select pg_current_xact_id()::text::bigint + stamp_offset into stamp
  from ledger_anchor a where a.xmin::text::bigint = anchored_in % 4294967296;
  if stamp is null then
    raise exception 'the ledger is not anchored in this cluster yet: a start of the server anchors it'
      using errcode = 'serialization_failure';
  end if;
  return stamp;
end $$;

alter table ledger_transfers alter column posted_in set default ledger_stamp();

-- A database that was restored into another cluster before this migration: transfers written since then have stamps
-- below the horizon and are in no balance. Their stamp is the transaction that wrote their row; of restored rows it is not.
do $$
declare
  oldest bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  horizon bigint;
  newest bigint;
begin
  select posted_before into strict horizon from balance_horizon for update;
  select greatest(horizon, max(posted_in) + 1) into newest from ledger_transfers where posted_in >= horizon;
  if horizon > oldest then
    alter table ledger_transfers disable trigger ledger_transfers_unchanged;
    update ledger_transfers set posted_in = newest
    where posted_in < horizon and xmin::text::bigint = posted_in % 4294967296 and xmin::text not in
      (select distinct xmin::text from ledger_transfers where xmin::text::bigint <> posted_in % 4294967296);
    alter table ledger_transfers enable trigger ledger_transfers_unchanged;
    newest := newest + 1;
  end if;
  insert into ledger_anchor (stamp_offset) values (greatest(0, newest - oldest));
end $$;
