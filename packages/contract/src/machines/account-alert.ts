import { defineMachine } from './define-machine.ts';

/** An alert waits until somebody of the merchant has acknowledged it. */
export const accountAlertMachine = defineMachine({
  name: 'account_alert',
  initial: 'pending',
  states: {
    pending: { on: { acknowledge: 'acknowledged' } },
    acknowledged: { on: {} },
  },
});
