import type { LedgerAccount } from '@florin/contract/ledger.ts';
import { LEDGER_SUMMED_MAX, type LedgerTotal } from '@florin/contract/ledger-page.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { addedTo } from './ledger-hours.ts';
import type { LedgerPeriod } from './ledger-page.ts';

/** Returns the changes of an account in a period by currency; null if it has more than `summed_max` transfers. */
export async function readLedgerTotals(
  db: Db,
  { merchant_id, mode }: Scope,
  { account, period }: { readonly account: LedgerAccount; readonly period: LedgerPeriod },
  summed_max: number = LEDGER_SUMMED_MAX,
): Promise<readonly LedgerTotal[] | null> {
  const rows = await db.query(
    `select amount_currency, sum(${addedTo(account)}) as cents, count(*) as transfers,
       count(*) filter (where $6::text in (debit_account, credit_account)) as lines
     from (select * from ledger_transfers where merchant_id = $1 and mode = $2
       and created_at >= coalesce($3::timestamptz, '-infinity') and created_at < coalesce($4::timestamptz, 'infinity')
       order by created_at desc, id desc limit $5) t
     group by amount_currency order by amount_currency`,
    [
      ...[merchant_id, mode, period.from ?? null, period.before ?? null],
      ...[String(summed_max + 1), account],
    ],
    `ledger_totals_${account}`,
  );
  const transfers = rows.reduce((sum, row) => sum + Number(row.transfers), 0);
  if (transfers > summed_max) return null;
  return rows
    .filter(({ lines }) => lines !== '0')
    .map(({ amount_currency, cents }) => ({
      currency: amount_currency as string,
      amount_cents: cents as string,
    }));
}
