import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import { createCreator } from '../records/creator.ts';
import { createUpdater, type Updater } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { createChargingGate } from '../subscriptions/charge.ts';
import { followCharges } from '../subscriptions/follow.ts';
import { confirmPaymentDemand, updatePaymentDemand } from './change.ts';
import { createPaymentDemand } from './create.ts';
import { withCurrencies } from './line-items.ts';

/** Changes payment demands by their machine, and tells of the changes. */
export function paymentUpdater(services: Services): Updater {
  const model = services.models.get('payment_demands');
  return createUpdater(services, {
    table: 'payment_demands',
    machine: paymentDemandMachine,
    eventOf: (row, slug, now) => eventAbout(model, row, slug, now),
    also: (tx, changed, now) => followCharges(services, tx, changed, now),
  });
}

export function paymentDemandBehaviour(services: Services): Behaviour {
  const model = services.models.get('payment_demands');
  const update = paymentUpdater(services);
  const create = createPaymentDemand(services, createCreator(services, 'payment_demands'));
  const change = updatePaymentDemand(model, update);
  const confirm = confirmPaymentDemand(services, model, update, createChargingGate());
  return {
    create: (ctx, _input, record) => create(ctx, record),
    update: (ctx, id, _input, columns) => change(ctx, id, columns),
    actions: { confirm: (ctx, id) => confirm(ctx, id) },
    meaning: withCurrencies,
  };
}
