import { defineMachine } from './define-machine.ts';

/** A paused subscription stores its deliveries and gets them when it resumes. An archived subscription gets none. */
export const webhookSubscriptionMachine = defineMachine({
  name: 'webhook_subscription',
  initial: 'active',
  states: {
    active: { on: { pause: 'paused', archive: 'archived' } },
    paused: { on: { resume: 'active', archive: 'archived' } },
    archived: { on: {} },
  },
});
