import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Change, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { emitEvents } from './emit.ts';
import type { Decision } from './updater.ts';

/** Decision for a row that the transaction has locked. */
export type DecidedChange = Change & Decision;

/** Stores decisions and emits their events. Returns the changed rows in the order of `changes`. */
export async function applyDecisions(
  services: Pick<Services, 'catalog' | 'models'>,
  tx: Db,
  table: string,
  now: Micros,
  changes: readonly DecidedChange[],
): Promise<Row[]> {
  const options = { table, at: instantText(now) };
  const changedRows = await transition(tx, services.catalog, options, changes);
  await emitEvents(services, tx, table, now, changes, changedRows);
  return changedRows;
}
