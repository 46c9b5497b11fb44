import { defineMachine } from './define-machine.ts';

/**
 * One message to a processor. `sending` is stored before the message leaves. A lost response makes
 * `unknown`, never a decline.
 * After `reversing`, only the reversal counts, and it may already have been sent. Only an operator who found the payment
 * captured approves it then. Reasons for a reversal:
 * - the authorisation's response was lost, or the approval was late or partial;
 * - a hold is voided or expires, or a check of the card refuses the approval;
 * - a decline turns out to be an approval after a second account was asked.
 * An operator makes `abandoned` of an attempt that nobody knows at the processor. A late approval is reversed all the same.
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
    reversing: { on: { undo: 'reversed', abandon: 'abandoned', approve: 'approved' } },
    abandoned: { on: { reverse: 'reversing', undo: 'reversed' } },
    approved: { on: { reverse: 'reversing' } },
    declined: { on: { reverse: 'reversing' } },
    not_sent: { on: {} },
    reversed: { on: {} },
  },
});
