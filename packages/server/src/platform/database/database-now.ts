import { type Micros, microsOf } from '../time/clock.ts';
import type { Db } from './db.ts';

/** The time by the clock of the database's machine. */
export async function databaseNow(db: Db): Promise<Micros> {
  const [row] = await db.query('select clock_timestamp() as now', [], 'database_now');
  return microsOf(row?.now as string);
}
