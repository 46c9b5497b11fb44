import { defineMachine } from './define-machine.ts';

/**
 * One event for one webhook subscription. `stopped`: the endpoint refused it. `exhausted`: the last
 * retry failed. Both can be redelivered.
 */
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
