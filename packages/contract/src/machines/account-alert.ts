import { defineMachine } from './define-machine.ts';

/** An alert is pending until a member of the merchant acknowledges it. */
export const accountAlertMachine = defineMachine({
  name: 'account_alert',
  initial: 'pending',
  states: {
    pending: { on: { acknowledge: 'acknowledged' } },
    acknowledged: { on: {} },
  },
});
