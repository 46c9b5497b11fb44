import { defineMachine, type StateOf } from './define-machine.ts';

/** A subscription is pending until its first charge succeeds. */
export const paymentSubscriptionMachine = defineMachine({
  name: 'payment_subscription',
  initial: 'pending',
  states: {
    pending: { on: { activate: 'active', cancel: 'cancelled' } },
    active: { on: { pause: 'paused', cancel: 'cancelled' } },
    paused: { on: { resume: 'active', cancel: 'cancelled' } },
    cancelled: { on: {} },
  },
});

export type PaymentSubscriptionState = StateOf<typeof paymentSubscriptionMachine>;

/** Client actions per state. `confirm` is for intents and after a failed charge only. */
export const paymentSubscriptionActions: Readonly<
  Record<PaymentSubscriptionState, readonly string[]>
> = {
  pending: ['update', 'confirm', 'cancel'],
  active: ['update', 'confirm', 'pause', 'cancel'],
  paused: ['update', 'resume', 'cancel'],
  cancelled: [],
};
