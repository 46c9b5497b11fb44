import { defineMachine } from './define-machine.ts';

/** A paused subscription is told of nothing until it is resumed; an archived one is told of nothing for good. */
export const webhookSubscriptionMachine = defineMachine({
  name: 'webhook_subscription',
  initial: 'active',
  states: {
    active: { on: { pause: 'paused', archive: 'archived' } },
    paused: { on: { resume: 'active', archive: 'archived' } },
    archived: { on: {} },
  },
});
