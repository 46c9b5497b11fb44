-- How many numbers a merchant entered in a day that it never entered before, other than in an import.
create table vault.new_number_counts (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  -- Days since 1970, UTC.
  day integer not null,
  count integer not null,
  primary key (merchant_id, mode, day)
);
create index new_number_counts_day on vault.new_number_counts (day);

-- What operators allow one merchant: another number of new cards a day, and an import of many until a time.
create table vault.number_limits (
  merchant_id text not null,
  mode text not null check (mode in ('live', 'sandbox')),
  new_numbers integer check (new_numbers > 0),
  import_numbers integer not null default 0 check (import_numbers >= 0),
  import_used integer not null default 0,
  import_ends_at timestamptz,
  primary key (merchant_id, mode),
  check (import_used between 0 and import_numbers)
);
