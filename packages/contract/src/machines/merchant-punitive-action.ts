import { defineMachine } from './define-machine.ts';

/** An enforcement action is in force until it is lifted. Taking it again creates another record. */
export const merchantPunitiveActionMachine = defineMachine({
  name: 'merchant_punitive_action',
  initial: 'in_force',
  states: {
    in_force: { on: { lift: 'lifted' } },
    lifted: { on: {} },
  },
});
