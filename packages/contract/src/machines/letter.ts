import { defineMachine } from './define-machine.ts';

/** One letter to one customer. What the sandbox writes is `kept`: nobody gets it. */
export const letterMachine = defineMachine({
  name: 'letter',
  initial: 'pending',
  states: {
    pending: { on: { keep: 'kept', send: 'sent', retry: 'pending', fail: 'failed' } },
    kept: { on: {} },
    sent: { on: {} },
    failed: { on: {} },
  },
});
