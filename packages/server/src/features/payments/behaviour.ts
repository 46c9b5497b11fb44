import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { createCreator } from '../records/creator.ts';
import { updaterOf } from '../records/plain.ts';
import type { Updater } from '../records/updater.ts';
import { createChargingGate } from '../subscriptions/charge.ts';
import {
  cancelPaymentDemand,
  confirmPaymentDemand,
  updatePaymentDemand,
  voidPaymentDemand,
} from './change.ts';
import { createPaymentDemand } from './create.ts';
import { entailedByPayments } from './entailed.ts';
import { withCurrencies } from './line-items.ts';

/** Changes payment demands by their machine, and tells of the changes. */
export function paymentUpdater(services: Services): Updater {
  const model = services.models.get('payment_demands');
  return updaterOf(services, model, {
    also: entailedByPayments(services),
  });
}

export function paymentDemandBehaviour(services: Services): Behaviour {
  const update = paymentUpdater(services);
  const create = createPaymentDemand(services, createCreator(services, 'payment_demands'));
  const change = updatePaymentDemand(services, update);
  const confirm = confirmPaymentDemand(services, update, createChargingGate());
  return {
    create: (ctx, _input, record) => create(ctx, record),
    update: (ctx, id, _input, columns) => change(ctx, id, columns),
    actions: {
      confirm: (ctx, id) => confirm(ctx, id),
      cancel: cancelPaymentDemand(update),
      void: voidPaymentDemand(services, update),
    },
    meaning: withCurrencies,
  };
}
