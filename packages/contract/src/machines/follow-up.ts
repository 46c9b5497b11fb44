import { defineMachine } from './define-machine.ts';

/**
 * The life of a refund or a capture. What a refund takes of its payment is reserved from the first state on, and released
 * should it fail; a payment has at most one capture that has not failed.
 */
export const followUpMachine = defineMachine({
  name: 'follow_up',
  initial: 'pending',
  states: {
    pending: { on: { submit: 'processing', refuse: 'failed' } },
    processing: { on: { approve: 'succeeded', decline: 'failed', requeue: 'pending' } },
    succeeded: { on: {} },
    failed: { on: {} },
  },
});
