import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Change, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from '../records/snapshot.ts';
import type { Decision } from '../records/updater.ts';

/** Tables of demands, for which attempts are made. */
export type DemandTable = 'payment_demands' | 'capture_demands' | 'refund_demands';

/** Decision for a row that the transaction has locked. */
export type DecidedChange = Change & Decision;

/** Stores decisions with their events; returns the changed rows. */
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
