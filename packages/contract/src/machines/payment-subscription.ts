import { defineMachine, type StateOf } from './define-machine.ts';

/** A subscription is pending from its intent to its first successful charge. */
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

/** What a client may ask for in each state; `confirm` only of an intent, or where the last charge failed. */
export const paymentSubscriptionActions: Readonly<
  Record<PaymentSubscriptionState, readonly string[]>
> = {
  pending: ['update', 'confirm', 'cancel'],
  active: ['update', 'confirm', 'pause', 'cancel'],
  paused: ['update', 'resume', 'cancel'],
  cancelled: [],
};
