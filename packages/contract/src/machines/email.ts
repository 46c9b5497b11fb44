import { defineMachine } from './define-machine.ts';

/** One email to a customer. Sandbox emails end as `kept`: they are stored and not sent. */
export const emailMachine = defineMachine({
  name: 'email',
  initial: 'pending',
  states: {
    pending: { on: { keep: 'kept', send: 'sent', retry: 'pending', fail: 'failed' } },
    kept: { on: {} },
    sent: { on: {} },
    failed: { on: {} },
  },
});
