import type { Db } from '../../../platform/database/db.ts';
import { countTries } from '../../../platform/rates/shared-tries.ts';

/**
 * Counts an attempt of a subject and returns whether the limit allows it. Atomic across processes;
 * writes nothing beyond the limit.
 */
export async function countAccessTry(
  db: Db,
  subject: string,
  window: { readonly now: string; readonly expires_at: string; readonly max: number },
): Promise<boolean> {
  const { now, expires_at, max } = window;
  const count = { subject, tries: 1, expires_at };
  const counted = await countTries(db, [count], now, { table: 'access_tries', up_to: max });
  return counted.has(subject);
}

/** Resets a subject's count of attempts. */
export const resetAccessTries = (db: Db, subject: string): Promise<unknown> =>
  db.query('delete from access_tries where subject = $1', [subject], 'forgive_access_tries');
