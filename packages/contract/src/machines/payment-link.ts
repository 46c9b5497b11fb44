import { defineMachine } from './define-machine.ts';

/** A link ends by itself, by its time or its last use, or when its merchant says so. One that is used up may be given more uses. */
export const paymentLinkMachine = defineMachine({
  name: 'payment_link',
  initial: 'active',
  states: {
    active: { on: { use_up: 'used_up', expire: 'expired' } },
    used_up: { on: { refill: 'active', expire: 'expired' } },
    expired: { on: {} },
  },
});
