import { defineMachine } from './define-machine.ts';

/**
 * A link expires at its time or by request, and is completed by its last use. A completed link can
 * get more uses.
 */
export const paymentLinkMachine = defineMachine({
  name: 'payment_link',
  initial: 'active',
  states: {
    active: { on: { use_up: 'used_up', expire: 'expired' } },
    used_up: { on: { refill: 'active', expire: 'expired' } },
    expired: { on: {} },
  },
});
