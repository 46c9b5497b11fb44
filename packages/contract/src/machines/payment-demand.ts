import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * A payment demand. `incomplete` and `ready` are intents; `pending` and later states are demands.
 *
 * - `processing`: an attempt has no known outcome yet, also after a lost response, or a capture or void is in progress.
 * - `authorised`: the amount is on hold until it is captured, voided or lapses.
 * - `canceled`: also a failed subscription charge that a credit covers.
 * - `disputed`: at least one dispute is open.
 * - `reversed`: lost disputes and refunds have used up the whole amount.
 */
export const paymentDemandMachine = defineMachine({
  name: 'payment_demand',
  initial: 'incomplete',
  states: {
    incomplete: { on: { complete: 'ready', confirm: 'pending', cancel: 'canceled' } },
    ready: { on: { reopen: 'incomplete', confirm: 'pending', cancel: 'canceled' } },
    pending: { on: { submit: 'processing', refuse: 'failed' } },
    processing: {
      on: {
        approve: 'succeeded',
        hold: 'authorised',
        decline: 'failed',
        requeue: 'pending',
        keep: 'authorised',
        release: 'canceled',
      },
    },
    authorised: { on: { capture: 'processing', void: 'processing' } },
    succeeded: { on: { dispute: 'disputed', reverse: 'reversed' } },
    failed: { on: { confirm: 'pending', cancel: 'canceled' } },
    canceled: { on: {} },
    reversed: { on: {} },
    disputed: { on: { reverse: 'reversed', close: 'succeeded' } },
  },
});

export type PaymentDemandState = StateOf<typeof paymentDemandMachine>;

/** Client actions per state: on the payment, or by a follow-up. */
export const paymentDemandActions: Readonly<Record<PaymentDemandState, readonly string[]>> = {
  incomplete: ['update', 'confirm', 'cancel'],
  ready: ['update', 'confirm', 'cancel'],
  pending: [],
  processing: [],
  authorised: ['capture', 'void'],
  succeeded: ['refund'],
  failed: ['update', 'confirm'],
  canceled: [],
  reversed: [],
  disputed: [],
};
