import { defineMachine } from './define-machine.ts';

/** A sandbox clock runs at normal speed, advances to a later time or is removed. */
export const sandboxClockMachine = defineMachine({
  name: 'sandbox_clock',
  initial: 'ready',
  states: {
    ready: { on: { advance: 'advancing', remove: 'removed' } },
    advancing: { on: { arrive: 'ready' } },
    removed: { on: {} },
  },
});
