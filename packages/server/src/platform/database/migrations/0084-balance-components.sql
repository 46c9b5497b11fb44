-- Sums of the kinds of transfers that make a balance, so that each of its amounts is explained.
alter table balances
  add column captured_cents bigint not null default 0,
  add column settled_cents bigint not null default 0,
  add column refunded_cents bigint not null default 0,
  add column lost_cents bigint not null default 0;
update balances b set captured_cents = t.captured, settled_cents = t.settled, refunded_cents = t.refunded,
  lost_cents = t.lost
from (select merchant_id, mode, amount_currency,
    coalesce(sum(amount_cents) filter (where kind = 'captured'), 0) as captured,
    coalesce(sum(amount_cents) filter (where kind = 'settled'), 0) as settled,
    coalesce(sum(amount_cents) filter (where kind = 'refunded'), 0) as refunded,
    coalesce(sum(amount_cents) filter (where kind in ('dispute_lost', 'second_chargeback')), 0) as lost
  from ledger_transfers where posted_in < (select posted_before from balance_horizon)
  group by merchant_id, mode, amount_currency) t
where b.merchant_id = t.merchant_id and b.mode = t.mode and b.amount_currency = t.amount_currency;
alter table balances
  alter column captured_cents drop default,
  alter column settled_cents drop default,
  alter column refunded_cents drop default,
  alter column lost_cents drop default;
