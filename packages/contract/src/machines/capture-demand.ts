import { defineMachine } from './define-machine.ts';

/** The life of a capture: a payment has at most one that has not failed. */
export const captureDemandMachine = defineMachine({
  name: 'capture_demand',
  initial: 'pending',
  states: {
    pending: { on: { submit: 'processing', refuse: 'failed' } },
    processing: { on: { approve: 'succeeded', decline: 'failed', requeue: 'pending' } },
    succeeded: { on: {} },
    failed: { on: {} },
  },
});
