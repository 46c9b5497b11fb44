import { defineMachine } from './define-machine.ts';

/** Deliveries that are asked for again by a filter: `finished` is all of them asked for, not all delivered. */
export const webhookReplayMachine = defineMachine({
  name: 'webhook_replay',
  initial: 'pending',
  states: {
    pending: { on: { finish: 'finished', cancel: 'canceled' } },
    finished: { on: {} },
    canceled: { on: {} },
  },
});
