import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from '../records/snapshot.ts';

/**
 * Locks a payment method and stores the columns that `decide` sets, with an event; does nothing
 * without columns.
 */
export async function changeMethod(
  { catalog, models }: Pick<Services, 'catalog' | 'models'>,
  tx: Db,
  key: RowKey,
  now: Micros,
  decide: (before: Row) => Row | undefined,
): Promise<void> {
  const before = (await lockRows(tx, 'payment_methods', [key])).get(keyText(key));
  const set = before && decide(before);
  if (!set) return;
  const model = models.get('payment_methods');
  const eventsOf = (_: unknown, after: Row) => [eventAbout(model, after, 'updated', now)];
  const options = { table: 'payment_methods', at: instantText(now), eventsOf };
  await transition(tx, catalog, options, [{ before, set }]);
}
