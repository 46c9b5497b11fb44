import { defineMachine } from './define-machine.ts';

/**
 * The life of a payment demand. An intent is incomplete or ready; from `pending` on it is a demand.
 * An attempt whose answer was lost keeps its demand in `processing` until it is resolved.
 */
export const paymentDemandMachine = defineMachine({
  name: 'payment_demand',
  initial: 'incomplete',
  states: {
    incomplete: { on: { complete: 'ready', confirm: 'pending', cancel: 'canceled' } },
    ready: { on: { reopen: 'incomplete', confirm: 'pending', cancel: 'canceled' } },
    pending: { on: { submit: 'processing', refuse: 'failed' } },
    processing: { on: { approve: 'succeeded', decline: 'failed', requeue: 'pending' } },
    succeeded: { on: { dispute: 'disputed', reverse: 'reversed' } },
    failed: { on: { confirm: 'pending' } },
    canceled: { on: {} },
    reversed: { on: {} },
    disputed: { on: { reverse: 'reversed', win: 'succeeded' } },
  },
});
