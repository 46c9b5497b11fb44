import { defineMachine } from './define-machine.ts';

/**
 * A refund or capture. A refund reserves its amount from the first state on and releases it if it
 * fails. A payment has at most one capture in progress.
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
