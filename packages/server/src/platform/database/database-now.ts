import { type Micros, microsOf } from '../time/clock.ts';
import type { Db } from './db.ts';

/** Returns the time of the database server's clock. */
export async function databaseNow(db: Db): Promise<Micros> {
  const [row] = await db.query('select clock_timestamp() as now', [], 'database_now');
  return microsOf(row?.now as string);
}
