import { defineMachine } from './define-machine.ts';

/**
 * One message to a processor. It is stored as `sending` before it leaves; a lost answer is `unknown`, never a
 * decline. From `reversing` on nothing counts but the reversal, which may have been sent already: of an authorisation
 * that was lost, of one that was approved for less or too late, or of one that was approved as a hold and is given up.
 */
export const attemptMachine = defineMachine({
  name: 'attempt',
  initial: 'sending',
  states: {
    sending: {
      on: {
        approve: 'approved',
        decline: 'declined',
        lose: 'unknown',
        drop: 'not_sent',
        reverse: 'reversing',
      },
    },
    unknown: { on: { approve: 'approved', decline: 'declined', reverse: 'reversing' } },
    reversing: { on: { undo: 'reversed' } },
    approved: { on: { reverse: 'reversing' } },
    declined: { on: {} },
    not_sent: { on: {} },
    reversed: { on: {} },
  },
});
