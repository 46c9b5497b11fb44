import { newRow } from '../../jsonapi/parse-document/rows.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { captures } from '../follow-ups/kinds.ts';
import { isHoldToCapture } from '../payments/hold.ts';
import { eventAbout } from '../records/emit.ts';
import { decideCapture } from './decide.ts';

/**
 * Captures new holds of payments with automatic capture, in the transaction of the approval. A crash therefore never
 * leaves such a payment as a hold.
 */
export async function captureAutomatically(
  services: Services,
  tx: Db,
  changedPayments: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const payments = changedPayments.filter(isHoldToCapture).map(({ after }) => after);
  if (payments.length === 0) return;
  const holds = payments.map((payment) => ({
    payment,
    capture: decideCapture(newCapture(services, payment, now), payment, () => false, now),
  }));
  const model = services.models.get(captures.table);
  const records = holds.map(({ capture: { row } }) => ({
    row,
    events: [eventAbout(model, row, 'created', now)],
  }));
  await insertRecords(tx, services.catalog, captures.table, records);
  const changes = holds.map(({ payment, capture }) => ({ before: payment, ...capture.payment }));
  await applyDemandDecisions(services, tx, 'payment_demands', now, changes);
}

/** Row of a capture of the whole hold. */
function newCapture({ models }: Services, payment: Row, now: Micros): Row {
  const relationships = { payment_demand: payment.id as string };
  const server = { id: uuidv7(now), scope: scopeOf(payment), now };
  return newRow(models.get(captures.table), { attributes: {}, relationships }, server);
}
