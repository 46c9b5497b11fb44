import type { PayoutLineKind } from '@florin/contract/ledger.ts';
import {
  PAYOUT_LINES_SHOWN,
  type PayoutAmounts,
  type PayoutLine,
  type PayoutLines,
} from '@florin/contract/payout-lines.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import { amountsOf, type LineAmounts, NO_AMOUNTS, plusAmounts } from './amounts.ts';
import type { ReadableParts } from './columns.ts';
import { PAYOUT_TRANSFERS_MAX, payoutSlicesOf } from './slices.ts';
import { readPayoutLines } from './sql.ts';
import type { PayoutFile } from './stream.ts';

/** Slices of the ledger that a page reads. Beyond, the sums of the lines are not known. */
const SLICES_MAX = 5;

/** Reads the first lines of a payout, and the sum of all where these are few enough. */
export async function readFirstLines(
  db: Db,
  { scope, range, readable }: Omit<PayoutFile, 'wording'>,
  transfers_max: number = PAYOUT_TRANSFERS_MAX,
): Promise<PayoutLines> {
  const lines: PayoutLine[] = [];
  let [count, slices, sum] = [0, 0, NO_AMOUNTS];
  for await (const [from, to] of payoutSlicesOf(db, range, transfers_max)) {
    if (slices === SLICES_MAX) return { lines, all: null, unassigned_cents: null };
    slices += 1;
    for (const row of await readPayoutLines(db, scope, range, from, to)) {
      const amounts = amountsOf(row);
      sum = plusAmounts(sum, amounts);
      count += 1;
      if (lines.length < PAYOUT_LINES_SHOWN) lines.push(lineOf(row, amounts, readable));
    }
  }
  const rest = BigInt(range.amount_cents) - sum.net;
  const whole = plusAmounts(sum, { gross: rest, fee: 0n, net: rest });
  return {
    lines,
    all: { count, sum: textsOf(whole) },
    unassigned_cents: rest === 0n ? null : String(rest),
  };
}

const lineOf = (row: Row, amounts: LineAmounts, readable: ReadableParts): PayoutLine => ({
  id: row.id as string,
  kind: row.kind as PayoutLineKind,
  created_at: instantText(microsOf(row.created_at as string)),
  payment_demand_id: row.payment_demand_id ?? null,
  payer_name: (readable.customers && row.payer_name) || null,
  card:
    readable.payment_methods && row.last_four
      ? { kind: row.card_kind ?? '', last_four: row.last_four }
      : null,
  ...textsOf(amounts),
});

const textsOf = ({ gross, fee, net }: LineAmounts): PayoutAmounts => ({
  gross_cents: String(gross),
  fee_cents: String(fee),
  net_cents: String(net),
});
