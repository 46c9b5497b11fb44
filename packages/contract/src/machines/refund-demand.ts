import { defineMachine } from './define-machine.ts';

/** The life of a refund: its amount is reserved from the first state on, and released should it fail. */
export const refundDemandMachine = defineMachine({
  name: 'refund_demand',
  initial: 'pending',
  states: {
    pending: { on: { submit: 'processing', refuse: 'failed' } },
    processing: { on: { approve: 'succeeded', decline: 'failed', requeue: 'pending' } },
    succeeded: { on: {} },
    failed: { on: {} },
  },
});
