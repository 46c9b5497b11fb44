import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Change, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from './snapshot.ts';
import type { Decision } from './updater.ts';

/** Decision for a row that the transaction has locked. */
export type DecidedChange = Change & Decision;

/** Stores decisions and emits their events. Returns the rows as they are afterwards, in the order of `changes`. */
export function applyDecisions(
  { catalog, models }: Services,
  tx: Db,
  table: string,
  now: Micros,
  changes: readonly DecidedChange[],
): Promise<Row[]> {
  const eventsOf = (change: Change, row: Row) =>
    (change as DecidedChange).events.map((slug, nth) =>
      eventAbout(models.get(table), row, slug, now + nth),
    );
  const options = { table, at: instantText(now), eventsOf };
  return transition(tx, catalog, options, changes);
}
