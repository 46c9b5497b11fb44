import { defineMachine, type StateOf } from './define-machine.ts';

/** What was noticed about a merchant: it is warned or penalized over it, or not, until the matter is cleared. */
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
