import { defineMachine } from './define-machine.ts';

/** One event on its way to one subscription. `stopped` is the receiver's refusal, `exhausted` the end of the schedule. */
export const webhookDeliveryMachine = defineMachine({
  name: 'webhook_delivery',
  initial: 'pending',
  states: {
    pending: {
      on: { deliver: 'delivered', retry: 'pending', stop: 'stopped', exhaust: 'exhausted' },
    },
    delivered: { on: {} },
    stopped: { on: {} },
    exhausted: { on: {} },
  },
});
