import { defineMachine } from './define-machine.ts';

/** A measure counts from when it is taken until it is lifted; one that is taken again is another. */
export const merchantPunitiveActionMachine = defineMachine({
  name: 'merchant_punitive_action',
  initial: 'in_force',
  states: {
    in_force: { on: { lift: 'lifted' } },
    lifted: { on: {} },
  },
});
