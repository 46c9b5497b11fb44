import { defineMachine } from './define-machine.ts';

/** A clock of the sandbox: it goes at the ordinary pace, is on its way to a later time, or was removed. */
export const sandboxClockMachine = defineMachine({
  name: 'sandbox_clock',
  initial: 'ready',
  states: {
    ready: { on: { advance: 'advancing', remove: 'removed' } },
    advancing: { on: { arrive: 'ready' } },
    removed: { on: {} },
  },
});
