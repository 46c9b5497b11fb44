import { defineMachine } from './define-machine.ts';

/** Events selected by a filter, to be delivered again. `finished`: all deliveries are due again, not all delivered. */
export const webhookReplayMachine = defineMachine({
  name: 'webhook_replay',
  initial: 'pending',
  states: {
    pending: { on: { finish: 'finished', cancel: 'canceled' } },
    finished: { on: {} },
    canceled: { on: {} },
  },
});
