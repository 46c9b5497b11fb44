-- The transfers that a payout pays: those with stamps below the first, without those of transactions that were running.
-- Earlier payouts have neither.
alter table payouts
  add column paid_below bigint,
  add column paid_without bigint[];
