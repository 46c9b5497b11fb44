import { defineMachine } from './define-machine.ts';

/** A paused subscription is sent nothing until it is resumed, and then what was kept for it; an archived one nothing for good. */
export const webhookSubscriptionMachine = defineMachine({
  name: 'webhook_subscription',
  initial: 'active',
  states: {
    active: { on: { pause: 'paused', archive: 'archived' } },
    paused: { on: { resume: 'active', archive: 'archived' } },
    archived: { on: {} },
  },
});
