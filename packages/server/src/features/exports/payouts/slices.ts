import type { Db } from '../../../platform/database/db.ts';
import { narrowSlice } from '../../../platform/database/slices/narrow-slice.ts';
import { countTransfersBetween } from '../../ledger/sql/balances.ts';
import type { PayoutRange } from './sql.ts';

/** Maximum number of transfers that one statement reads. A transaction is never split. */
export const PAYOUT_TRANSFERS_MAX = 10_000;

/** Slices of the payout's stamps, each with a bounded number of transfers. */
export async function* payoutSlicesOf(
  db: Db,
  range: PayoutRange,
  transfers_max: number,
): AsyncGenerator<readonly [from: bigint, to: bigint]> {
  const end = BigInt(range.paid.below);
  for (let from = BigInt(range.from); from < end; ) {
    const start = from;
    const isSmall = async (to: bigint): Promise<boolean> =>
      (await countTransfersBetween(db, start, to, transfers_max + 1)) <= transfers_max;
    from = await narrowSlice(start, end, isSmall);
    yield [start, from];
  }
}
