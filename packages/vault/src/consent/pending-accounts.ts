import {
  PENDING_ACCOUNTS_QUERY,
  type PendingAccount,
} from '@florin/contract/protocol/pending-accounts.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../store/db.ts';

/** Health is asked every second by each server. */
const COUNT_MS = 10_000;

/** Counts accounts that wait for an operator, at most every ten seconds. */
export type CountPending = () => Promise<number>;

export function createPendingCount({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): CountPending {
  let count = Promise.resolve(0);
  let counted_at = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock();
    // The clock of the system may be set back.
    if (Math.abs(now - counted_at) >= COUNT_MS) {
      counted_at = now;
      count = countPending(db);
      count.catch(() => {
        counted_at = Number.NEGATIVE_INFINITY;
      });
    }
    return count;
  };
}

async function countPending(db: Db): Promise<number> {
  const [first] = await db.query<PendingAccount>(PENDING_ACCOUNTS_QUERY, [1], 'pending-accounts');
  return first?.count ?? 0;
}
