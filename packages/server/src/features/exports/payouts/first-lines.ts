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
import { readOldestLines, readPayoutLines } from './sql.ts';
import type { PayoutFile } from './stream.ts';

/** Slices of the ledger that a page adds up. Beyond, the sum of the lines is not known. */
const SLICES_MAX = 5;
/** Maximum number of a merchant's own transfers that one search for the first lines reads. */
const SEARCHED_MAX = 10_000;

interface ReadLimits {
  readonly transfers_max: number;
  readonly searched_max: number;
}
const LIMITS: ReadLimits = { transfers_max: PAYOUT_TRANSFERS_MAX, searched_max: SEARCHED_MAX };

/** Reads the first lines of a payout, and the sum of all where few slices of the ledger hold them. */
export async function readFirstLines(
  db: Db,
  { scope, range, readable }: Omit<PayoutFile, 'wording'>,
  { transfers_max, searched_max }: ReadLimits = LIMITS,
): Promise<PayoutLines> {
  const rows = await findFirstRows(db, { scope, range }, searched_max);
  const lines = rows.map((row) => lineOf(row, amountsOf(row), readable));
  const all = await sumLines(db, { scope, range }, transfers_max);
  if (!all) return { lines, all: null, unassigned_cents: null };
  const rest = BigInt(range.amount_cents) - all.sum.net;
  const whole = plusAmounts(all.sum, { gross: rest, fee: 0n, net: rest });
  return {
    lines,
    all: { count: all.count, sum: textsOf(whole) },
    unassigned_cents: rest === 0n ? null : String(rest),
  };
}

type Searched = Pick<PayoutFile, 'scope' | 'range'>;

/**
 * Searches from the payout before, then from the end of the settled day. Captured payments and their fees, which are no
 * lines of their own, may fill the first search.
 */
async function findFirstRows(
  db: Db,
  { scope, range }: Searched,
  searched_max: number,
): Promise<readonly Row[]> {
  const rows = new Map<unknown, Row>();
  for (const since of [range.since, `${range.settled_on} 24:00Z`]) {
    if (rows.size >= PAYOUT_LINES_SHOWN) break;
    for (const row of await readOldestLines(db, scope, range, { since, searched_max }))
      rows.set(row.id, row);
  }
  return [...rows.values()].slice(0, PAYOUT_LINES_SHOWN);
}

/** Counts and adds up all lines of a payout. Undefined beyond `SLICES_MAX`. */
async function sumLines(
  db: Db,
  { scope, range }: Searched,
  transfers_max: number,
): Promise<{ readonly count: number; readonly sum: LineAmounts } | undefined> {
  let [count, slices, sum] = [0, 0, NO_AMOUNTS];
  for await (const [from, to] of payoutSlicesOf(db, range, transfers_max)) {
    if (slices === SLICES_MAX) return undefined;
    slices += 1;
    const amounts = (await readPayoutLines(db, scope, range, from, to)).map(amountsOf);
    sum = amounts.reduce(plusAmounts, sum);
    count += amounts.length;
  }
  return { count, sum };
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
