import type { Db } from '../../src/platform/database/db.ts';

/** Statements that wait for another transaction to end. */
export async function waiting(db: Db): Promise<number> {
  const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return (await db.query(sql, [])).length;
}
