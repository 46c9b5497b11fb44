import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * A difference between a settlement file and the ledger. Open until someone records a resolution.
 */
export const settlementExceptionMachine = defineMachine({
  name: 'settlement_exception',
  initial: 'open',
  states: {
    open: { on: { resolve: 'resolved' } },
    resolved: { on: {} },
  },
});

export const settlementExceptionActions: Readonly<
  Record<StateOf<typeof settlementExceptionMachine>, readonly string[]>
> = { open: ['update'], resolved: [] };
