import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { Updater } from '../records/updater.ts';

/**
 * `PATCH /v2/payment_methods/{id}/discard`: ends the use of a payment method. A trigger queues its
 * card for the worker that destroys cards.
 */
export async function discardPaymentMethod(
  services: Services,
  update: Updater,
  { scope, if_match, idempotency }: RequestContext,
  id: string,
): Promise<Row> {
  const row = await update({
    scope,
    id,
    if_match,
    idempotency,
    decide: ({ discarded_at }, now) =>
      discarded_at
        ? { set: {}, events: [] }
        : { set: { discarded_at: instantText(now) }, events: ['updated'] },
  });
  services.wake.deliver.raise();
  return row;
}
