import { defineMachine } from './define-machine.ts';

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
