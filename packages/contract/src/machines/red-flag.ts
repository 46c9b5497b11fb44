import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * An official notice about a merchant. Before operators clear it, they may warn or penalise the
 * merchant.
 */
export const redFlagMachine = defineMachine({
  name: 'red_flag',
  initial: 'active',
  states: {
    active: { on: { warn: 'warned', penalize: 'penalized', clear: 'cleared' } },
    warned: { on: { penalize: 'penalized', clear: 'cleared' } },
    penalized: { on: { warn: 'warned', clear: 'cleared' } },
    cleared: { on: {} },
  },
});

export type RedFlagState = StateOf<typeof redFlagMachine>;
