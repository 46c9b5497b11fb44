import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDecisions } from '../records/apply-decisions.ts';

/**
 * Locks a payment method, stores the columns that `decide` returns, and emits an event. Does
 * nothing without columns.
 */
export async function changeMethod(
  services: Pick<Services, 'catalog' | 'models'>,
  tx: Db,
  key: RowKey,
  now: Micros,
  decide: (row: Row) => Row | undefined,
): Promise<void> {
  const row = (await lockRows(tx, 'payment_methods', [key])).get(keyText(key));
  const set = row && decide(row);
  if (!set) return;
  const change = { before: row, set, events: ['updated'] };
  await applyDecisions(services, tx, 'payment_methods', now, [change]);
}
