import { problem } from '@florin/contract/errors.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { updaterOf } from '../records/plain.ts';
import type { Decision } from '../records/updater.ts';
import { endpointOf, reopenEndpoint } from './endpoints.ts';

/** Webhook deliveries. Only events create deliveries; clients can request a redelivery. */
export function webhookDeliveryBehaviour(services: Services): Behaviour {
  const model = services.models.get('webhook_deliveries');
  const update = updaterOf(services, model, {
    followOnWork: async (tx, rows, now) => {
      await reopenEndpoint(tx, { catalog: services.catalog, now }, rows.map(endpointOf));
    },
  });
  return {
    actions: {
      async redeliver({ scope, if_match, idempotency }, id) {
        await requireOpenSubscription(services, scope, id);
        const row = await update({ scope, id, if_match, idempotency, decide: decideRedelivery });
        services.wake.deliver.raise();
        return row;
      },
    },
  };
}

/**
 * Throws unless the delivery's subscription can get it. If the subscription is archived later, the
 * worker stops the delivery.
 */
async function requireOpenSubscription({ db }: Services, scope: Scope, id: string): Promise<void> {
  const delivery = await findRow(db, 'webhook_deliveries', scope, id);
  const of = delivery?.webhook_subscription_id;
  const subscription = of ? await findRow(db, 'webhook_subscriptions', scope, of) : undefined;
  if (subscription?.status !== 'archived') return;
  throw problem(
    'invalid_state',
    'The webhook subscription of this delivery is archived and receives nothing.',
    undefined,
    { meta: { allowed_actions: [] }, headers: { allow: 'GET, HEAD, OPTIONS' } },
  );
}

/** A delivery due within this time may be in flight, or will soon be sent anyway. */
const SENT_SOON = seconds(60);

/**
 * Makes a delivery due now with a new retry schedule. A finished delivery loses its position in the
 * order of the record's events, because later ones have been sent or given up.
 */
export function decideRedelivery(row: Row, now: Micros): Decision {
  const due_at = instantText(now);
  if (row.status !== 'pending')
    return { trigger: 'redeliver', set: { ...restartedColumns, due_at }, events: [] };
  const waits = row.held_back === 't' || !row.due_at || microsOf(row.due_at) <= now + SENT_SOON;
  return { set: waits ? {} : { due_at }, events: [] };
}

const restartedColumns: Row = {
  schedule_step: '0',
  delivered_at: null,
  order_key: null,
  sequence: null,
};
