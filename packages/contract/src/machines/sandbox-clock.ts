import { defineMachine } from './define-machine.ts';

/** A clock of the sandbox: it goes at the ordinary pace, or is on its way to a later time. */
export const sandboxClockMachine = defineMachine({
  name: 'sandbox_clock',
  initial: 'ready',
  states: {
    ready: { on: { advance: 'advancing' } },
    advancing: { on: { arrive: 'ready' } },
  },
});
