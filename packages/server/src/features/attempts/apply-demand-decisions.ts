import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDecisions, type DecidedChange } from '../records/apply-decisions.ts';

/** Tables of demands. Each attempt belongs to a row of one of these tables. */
export type DemandTable = 'payment_demands' | 'capture_demands' | 'refund_demands';

/**
 * Stores decisions about demands and their events. Runs the reactions to changed payments. Returns
 * the rows before and after.
 */
export async function applyDemandDecisions(
  services: Services,
  tx: Db,
  table: DemandTable,
  now: Micros,
  changes: readonly DecidedChange[],
): Promise<ChangedRow[]> {
  const rowsAfter = await applyDecisions(services, tx, table, now, changes);
  const changedRows = changes.map(({ before }, at) => ({ before, after: rowsAfter[at] as Row }));
  if (table === 'payment_demands') await reactToPayments(services, tx, changedRows, now);
  return changedRows;
}

/** Runs the reactions to changed payments in sequence. */
export async function reactToPayments(
  services: Services,
  tx: Db,
  changedRows: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  for (const react of services.reactions.afterPaymentChange) {
    await react(services, tx, changedRows, now);
  }
}
