import { defineMachine } from './define-machine.ts';

/**
 * One message to a processor. `sending` is stored before the message leaves; a lost response is `unknown`, never a
 * decline.
 *
 * After `reversing` only the reversal counts, and it may have been sent already. Reasons: the authorisation was lost,
 * was approved late or for less, or was a hold that is voided or lapsed.
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
