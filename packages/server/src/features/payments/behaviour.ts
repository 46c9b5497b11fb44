import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Services } from '../../services.ts';
import { reactToPayments } from '../attempts/apply-demand-decisions.ts';
import { updaterOf } from '../records/plain.ts';
import type { Updater } from '../records/updater.ts';
import {
  type ConfirmCharge,
  cancelPaymentDemand,
  confirmPaymentDemand,
  updatePaymentDemand,
  voidPaymentDemand,
} from './change.ts';
import { createPaymentDemand } from './create.ts';
import { withCurrencies } from './line-items.ts';
import { createPaymentCreator } from './submission/store-payments.ts';

/** Updates payment demands by their state machine and emits their events. */
export function paymentUpdater(services: Services): Updater {
  const model = services.models.get('payment_demands');
  return updaterOf(services, model, {
    followOnChanges: (tx, changed, now) => reactToPayments(services, tx, changed, now),
  });
}

/**
 * Behaviour of payment demands. `confirmCharge` confirms payments that are charges of
 * subscriptions.
 */
export function paymentDemandBehaviour(
  services: Services,
  confirmCharge: ConfirmCharge,
): Behaviour {
  const update = paymentUpdater(services);
  const create = createPaymentCreator(services);
  return {
    create: (ctx, _input, record) => createPaymentDemand(services, create, ctx, record),
    update: (ctx, id, _input, columns) => updatePaymentDemand(services, update, ctx, id, columns),
    actions: {
      confirm: (ctx, id) => confirmPaymentDemand(services, { update, confirmCharge }, ctx, id),
      cancel: (ctx, id) => cancelPaymentDemand(update, ctx, id),
      void: (ctx, id) => voidPaymentDemand(services, update, ctx, id),
    },
    comparedRow: withCurrencies,
  };
}
