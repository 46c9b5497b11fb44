import { defineMachine } from './define-machine.ts';

/** One event on its way to one subscription. `stopped` is the receiver's refusal, `exhausted` the end of the schedule; each can be sent again. */
export const webhookDeliveryMachine = defineMachine({
  name: 'webhook_delivery',
  initial: 'pending',
  states: {
    pending: {
      on: {
        deliver: 'delivered',
        retry: 'pending',
        stop: 'stopped',
        exhaust: 'exhausted',
        redeliver: 'pending',
      },
    },
    delivered: { on: { redeliver: 'pending' } },
    stopped: { on: { redeliver: 'pending' } },
    exhausted: { on: { redeliver: 'pending' } },
  },
});
