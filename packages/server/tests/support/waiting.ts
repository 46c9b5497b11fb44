import type { Db } from '../../src/platform/database/db.ts';

/** Number of statements that wait for a lock of another transaction. */
export async function countWaiting(db: Db): Promise<number> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await db.query(sql, [])).length;
}
