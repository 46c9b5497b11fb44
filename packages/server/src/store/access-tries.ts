import { countTries } from './card-tries.ts';
import type { Db } from './db.ts';

/** Counts one more try of a subject, atomically over all processes. Gives how many there are in its window, this one included. */
export async function countAccessTry(
  db: Db,
  subject: string,
  { now, expires_at }: { readonly now: string; readonly expires_at: string },
): Promise<number> {
  const counted = await countTries(db, [{ subject, tries: 1, expires_at }], now, 'access_tries');
  return counted.get(subject)?.tries ?? 1;
}

/** Tries of the subject so far do not count any more. */
export const forgiveAccessTries = (db: Db, subject: string): Promise<unknown> =>
  db.query('delete from access_tries where subject = $1', [subject], 'forgive_access_tries');
