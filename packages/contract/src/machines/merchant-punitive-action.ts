import { defineMachine } from './define-machine.ts';

/**
 * An enforcement action is in force until an operator lifts it. Each new action is a new record.
 */
export const merchantPunitiveActionMachine = defineMachine({
  name: 'merchant_punitive_action',
  initial: 'in_force',
  states: {
    in_force: { on: { lift: 'lifted' } },
    lifted: { on: {} },
  },
});
