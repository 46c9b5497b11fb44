import type { Db } from '../store/db.ts';
import { type CountedNumber, DAYS_KEPT, dayOf, INSTALLATION } from './counted-number.ts';

/** Today's numbers that are alike: of the merchant, and of all merchants in live mode. */
interface AlikeCounts {
  readonly alike: number;
  readonly installation: number;
}

/**
 * Counts a new number. In the sandbox, merchants enter the same published numbers, so only each merchant counts. The rows
 * exist and are locked.
 */
export async function countAlike(
  tx: Db,
  { merchant_id, mode, alike_mark, installation_mark, now }: CountedNumber,
): Promise<AlikeCounts> {
  const rows = await tx.query<{ merchant_id: string; count: number }>(
    `update vault.alike_counts set count = count + 1
     where mode = $2 and day = $3 and ((merchant_id = $1 and mark = $4)
       or (merchant_id = '${INSTALLATION}' and mark = $5 and mode = 'live'))
     returning merchant_id, count`,
    [merchant_id, mode, dayOf(now), alike_mark, installation_mark],
    'count-alike',
  );
  const countOf = (id: string) => rows.find((row) => row.merchant_id === id)?.count ?? 0;
  return { alike: countOf(merchant_id), installation: countOf(INSTALLATION) };
}

/** Deletes the counts of former days. */
export const sweepAlikeCounts = (db: Db, now: number): Promise<object[]> =>
  db.query('delete from vault.alike_counts where day < $1', [dayOf(now) - DAYS_KEPT]);
