import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Change, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from '../records/snapshot.ts';
import type { Decision } from '../records/updater.ts';

/** The tables of demands, which attempts are made for. */
export type DemandTable = 'payment_demands' | 'capture_demands' | 'refund_demands';

/** What was decided for a row that the transaction has locked. */
export type DecidedChange = Change & Decision;

/** Stores decisions with the events that tell of them; returns the rows as they are afterwards. */
export function applyDecisions(
  { catalog, models }: Services,
  tx: Db,
  table: DemandTable | 'attempts' | 'disputes' | 'payment_subscriptions',
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
