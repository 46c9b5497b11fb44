-- Sums of the accounts by hour, so that a page of the ledger shows the balance after each line without a sum over all
-- transfers. Like the balances, the rows include all transfers before `balance_horizon`, and no others.
create table ledger_hours (
  merchant_id uuid not null,
  mode text not null check (mode in ('live', 'sandbox')),
  amount_currency text not null,
  hour timestamptz not null,
  processor_cents bigint not null,
  merchant_cents bigint not null,
  refunds_cents bigint not null,
  disputes_cents bigint not null,
  fees_cents bigint not null,
  bank_cents bigint not null,
  primary key (merchant_id, mode, amount_currency, hour)
);
insert into ledger_hours
select merchant_id, mode, amount_currency, date_trunc('hour', created_at, 'UTC'),
  sum(case 'processor' when debit_account then amount_cents when credit_account then -amount_cents else 0 end),
  sum(case 'merchant' when credit_account then amount_cents when debit_account then -amount_cents else 0 end),
  sum(case 'refunds' when credit_account then amount_cents when debit_account then -amount_cents else 0 end),
  sum(case 'disputes' when credit_account then amount_cents when debit_account then -amount_cents else 0 end),
  sum(case 'fees' when credit_account then amount_cents when debit_account then -amount_cents else 0 end),
  sum(case 'bank' when debit_account then amount_cents when credit_account then -amount_cents else 0 end)
from ledger_transfers where posted_in < (select posted_before from balance_horizon)
group by 1, 2, 3, 4;
