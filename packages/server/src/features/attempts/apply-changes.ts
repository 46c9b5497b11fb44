import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Changed } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { Also } from '../records/updater.ts';
import { applyDecisions, type DecidedChange, type DemandTable } from './apply.ts';

/** Stores decisions about demands, and what changes of payments entail elsewhere; gives the rows before and after. */
export async function applyChanges(
  services: Services,
  tx: Db,
  table: DemandTable,
  now: Micros,
  changes: readonly DecidedChange[],
): Promise<Changed[]> {
  const after = await applyDecisions(services, tx, table, now, changes);
  const changed = changes.map(({ before }, at) => ({ before, after: after[at] as Row }));
  if (table === 'payment_demands') await reactToPayments(services)(tx, changed, now);
  return changed;
}

/** Runs what other features do when payments change. */
export const reactToPayments =
  (services: Services): Also =>
  async (tx, changed, now) => {
    for (const react of services.reactions.afterPaymentChange) {
      await react(services, tx, changed, now);
    }
  };
