import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * A payment. `incomplete` and `ready` are intents.
 * - `processing`: the outcome of an attempt, capture or void is not known yet. A response may have
 * been lost.
 * - `authorised`: the amount is on hold until it is captured, voided or expires. A part may be captured already.
 * - `canceled`: includes failed subscription charges that a credit covers.
 * - `disputed`: at least one dispute is open.
 * - `reversed`: lost disputes, with refunds, have used the complete amount. Refunds alone leave `succeeded`.
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
    authorised: { on: { capture: 'processing', void: 'processing', lapse: 'succeeded' } },
    succeeded: { on: { dispute: 'disputed', reverse: 'reversed' } },
    failed: { on: { confirm: 'pending', cancel: 'canceled' } },
    canceled: { on: {} },
    reversed: { on: {} },
    disputed: { on: { reverse: 'reversed', close: 'succeeded' } },
  },
});

export type PaymentDemandState = StateOf<typeof paymentDemandMachine>;

/** Client actions per state, including follow-ups. */
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
