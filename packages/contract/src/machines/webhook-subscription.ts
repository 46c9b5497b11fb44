import { defineMachine } from './define-machine.ts';

/**
 * A paused webhook subscription stores its deliveries until it resumes. An archived one gets none.
 */
export const webhookSubscriptionMachine = defineMachine({
  name: 'webhook_subscription',
  initial: 'active',
  states: {
    active: { on: { pause: 'paused', archive: 'archived' } },
    paused: { on: { resume: 'active', archive: 'archived' } },
    archived: { on: {} },
  },
});
