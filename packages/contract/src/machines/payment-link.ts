import { defineMachine } from './define-machine.ts';

/** A link expires at its time or by request, and is used up by its last use. A used-up link may get more uses. */
export const paymentLinkMachine = defineMachine({
  name: 'payment_link',
  initial: 'active',
  states: {
    active: { on: { use_up: 'used_up', expire: 'expired' } },
    used_up: { on: { refill: 'active', expire: 'expired' } },
    expired: { on: {} },
  },
});
