import { ledgerAccounts } from '@florin/contract/ledger.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { inRange, rangeValues } from '../../../platform/database/slices/key-slices.ts';
import { merchantRanges } from './balance-check.ts';
import { type CheckOptions, DIFFERENCES_MAX } from './ledger-check.ts';

const SUMS = ledgerAccounts
  .map((account) => `coalesce(sum(${account}_cents), 0) as ${account}_cents`)
  .join(', ');

/**
 * Balances whose hours have other sums, or hours whose accounts do not sum to 0. One statement sees balances and hours at
 * the same moment.
 */
export async function findHourDifferences(db: Db, options: CheckOptions = {}): Promise<Row[]> {
  const differences: Row[] = [];
  for await (const range of merchantRanges(db, options.range)) {
    const rows = await db.query(
      `select b.merchant_id, b.mode, b.amount_currency, b.owed_cents as expected_cents, h.merchant_cents as found_cents,
         h.is_right and (h.merchant_cents, h.refunds_cents, h.disputes_cents, h.fees_cents)
           = (b.owed_cents, b.reserved_cents, b.disputed_cents, b.fees_cents) as is_right
       from balances b cross join lateral (select ${SUMS},
           coalesce(bool_and(processor_cents + bank_cents
             = merchant_cents + refunds_cents + disputes_cents + fees_cents), true) as is_right
         from ledger_hours h where h.merchant_id = b.merchant_id and h.mode = b.mode
           and h.amount_currency = b.amount_currency) h
       where ${inRange('id', 'b')}`,
      rangeValues(range),
    );
    options.checked?.(rows.length);
    for (const { is_right, ...row } of rows) if (is_right !== 't') differences.push(row);
  }
  return differences.slice(0, DIFFERENCES_MAX);
}
