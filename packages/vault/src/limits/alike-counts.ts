import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Vaults whose clocks differ at midnight count in one row. */
export const DAYS_KEPT = 1;

/** Day of a time in milliseconds: days since 1970, UTC. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

/** A new number as it is counted. `mark` is a keyed hash of its first and last digits, `now` in milliseconds. */
export interface AlikeNumber extends Scope {
  readonly mark: string;
  readonly now: number;
}

/**
 * Counts a new number in one statement, for all vaults of the database. Returns how many are alike today: `max + 1` once
 * for the first one above `max`, then undefined. Numbers above that write nothing.
 */
export async function countAlike(
  db: Db,
  { merchant_id, mode, mark, now }: AlikeNumber,
  max: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ count: number }>(
    `insert into vault.alike_counts as kept (merchant_id, mode, day, mark, count) values ($1, $2, $3, $4, 1)
     on conflict (merchant_id, mode, day, mark) do update set count = kept.count + 1 where kept.count <= $5
     returning count`,
    [merchant_id, mode, dayOf(now), mark, max],
    'count-alike',
  );
  return row?.count;
}

/** Deletes the counts of former days. */
export const sweepAlikeCounts = (db: Db, now: number): Promise<object[]> =>
  db.query('delete from vault.alike_counts where day < $1', [dayOf(now) - DAYS_KEPT]);
