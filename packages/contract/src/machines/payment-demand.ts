import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * The life of a payment demand. An intent is incomplete or ready; from `pending` on it is a demand.
 * An attempt whose answer was lost keeps its demand in `processing` until it is resolved. `authorised` is a hold: the
 * amount is set aside on the card until it is captured, voided, or lapses. While either is asked for it is `processing`.
 * A failed charge of a subscription whose credit pays for it is canceled. A payment is `disputed` while one of its
 * disputes is open, and `reversed` once lost disputes, with refunds, have taken all of it.
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

/** What a client may ask for in each state: actions of the payment, or the follow-up that is to be created for it. */
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
