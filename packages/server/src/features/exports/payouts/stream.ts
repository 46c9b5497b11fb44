import type { Db } from '../../../platform/database/db.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { BYTE_ORDER_MARK } from '../list-pages.ts';
import type { Wording } from '../payments/format.ts';
import { amountsOf, type LineAmounts, NO_AMOUNTS, plusAmounts } from './amounts.ts';
import { linesInCurrency, type ReadableParts } from './columns.ts';
import { PAYOUT_TRANSFERS_MAX, payoutSlicesOf } from './slices.ts';
import { type PayoutRange, readPayoutLines } from './sql.ts';

export interface PayoutFile {
  readonly scope: Scope;
  readonly range: PayoutRange;
  readonly wording: Wording;
  readonly readable: ReadableParts;
}

/**
 * Streams the lines of a payout as CSV, slice by slice. The last line is their sum, and the payout's amount: payouts of
 * earlier versions get a line for the rest.
 */
export async function* streamPayout(
  db: Db,
  { scope, range, wording, readable }: PayoutFile,
  transfers_max: number = PAYOUT_TRANSFERS_MAX,
): AsyncGenerator<string> {
  const lines = linesInCurrency(range.currency, wording, readable);
  let total: LineAmounts = NO_AMOUNTS;
  yield BYTE_ORDER_MARK + lines.head();
  for await (const [from, to] of payoutSlicesOf(db, range, transfers_max)) {
    let text = '';
    for (const row of await readPayoutLines(db, scope, range, from, to)) {
      const amounts = amountsOf(row);
      total = plusAmounts(total, amounts);
      text += lines.line(row, amounts);
    }
    yield text;
  }
  const rest = BigInt(range.amount_cents) - total.net;
  const unassigned: LineAmounts = { gross: rest, fee: 0n, net: rest };
  if (rest !== 0n) yield lines.sum('unassigned', unassigned);
  yield lines.sum('total', plusAmounts(total, unassigned));
}
