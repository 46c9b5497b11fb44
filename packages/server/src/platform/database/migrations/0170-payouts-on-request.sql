-- When a person had a sandbox paid out at once. Null: the payout followed a settled day.
alter table payouts add column requested_at timestamptz;
create unique index payouts_once_a_day on payouts (merchant_id, mode, settled_on, amount_currency)
  where requested_at is null;
create index payouts_settled_on on payouts (merchant_id, mode, settled_on);
drop index payouts_once;
