import type { Db } from './db.ts';

/** How many attempts of all merchants have had no outcome since before each of the instants, in their order. */
export async function openAttemptsSince(db: Db, instants: readonly string[]): Promise<number[]> {
  const counts = instants.map((_, at) => `count(*) filter (where since <= $${at + 1}) as c${at}`);
  const [row] = await db.query(
    `select ${counts.join(', ')} from (select coalesce(unknown_since, updated_at) as since
       from attempts where status in ('sending', 'unknown', 'reversing')) open`,
    [...instants],
    `open_attempts_${instants.length}`,
  );
  return instants.map((_, at) => Number(row?.[`c${at}`]));
}
