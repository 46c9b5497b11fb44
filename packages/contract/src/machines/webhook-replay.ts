import { defineMachine } from './define-machine.ts';

/**
 * A request to deliver all events of a filter again. `finished`: all deliveries are due again, but
 * some may not have been sent.
 */
export const webhookReplayMachine = defineMachine({
  name: 'webhook_replay',
  initial: 'pending',
  states: {
    pending: { on: { finish: 'finished', cancel: 'canceled' } },
    finished: { on: {} },
    canceled: { on: {} },
  },
});
