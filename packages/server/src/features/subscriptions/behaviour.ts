import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Micros } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { withCurrencies } from '../payments/line-items.ts';
import { createCreator } from '../records/creator.ts';
import { updaterOf } from '../records/plain.ts';
import type { Decision, Updater } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { updatePaymentSubscription } from './change.ts';
import { createChargingGate, makeFirstCharges } from './charge.ts';
import { confirmPaymentSubscription } from './confirm.ts';
import { createPaymentSubscription } from './create.ts';
import { decideCancel, decidePause, decideResume } from './decide.ts';

/** Changes subscriptions by their machine, tells of the changes, and charges those that are confirmed by one. */
export function subscriptionUpdater(services: Services): Updater {
  const model = services.models.get('payment_subscriptions');
  return updaterOf(services, model, {
    also: (tx, changed, now) => makeFirstCharges(services, tx, changed, now),
  });
}

export function paymentSubscriptionBehaviour(services: Services, model: Model): Behaviour {
  const update = subscriptionUpdater(services);
  const change = updatePaymentSubscription(model, update);
  const gate = createChargingGate();
  const create = createPaymentSubscription(services, createCreator(services, model.table), gate);
  return {
    create: (ctx, _input, record) => create(ctx, record),
    update: (ctx, id, _input, columns) => change(ctx, id, columns),
    actions: {
      confirm: confirmPaymentSubscription(services, update, gate),
      pause: byDecision(services, update, decidePause),
      resume: byDecision(services, update, decideResume),
      cancel: byDecision(services, update, decideCancel),
    },
    meaning: withCurrencies,
  };
}

const byDecision =
  ({ wake }: Services, update: Updater, decide: (row: Row, now: Micros) => Decision) =>
  async ({ scope, if_match, idempotency }: RequestContext, id: string): Promise<Row> => {
    const row = await update({ scope, id, if_match, idempotency, decide });
    wake.deliver.raise();
    return row;
  };
