-- How many new numbers with the same first six and last four digits a merchant entered in a day. The digits are a keyed
-- hash: nobody finds out from this table which cards were entered.
create table vault.alike_counts (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  -- Days since 1970, UTC.
  day integer not null,
  mark text not null,
  count integer not null,
  primary key (merchant_id, mode, day, mark)
);
create index alike_counts_day on vault.alike_counts (day);
-- Statistics of a column would copy its values.
alter table vault.alike_counts alter mark set statistics 0;
