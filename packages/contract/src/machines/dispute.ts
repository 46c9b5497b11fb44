import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * The life of a dispute: the payer has their bank take a payment back, and the merchant may show why it should not.
 * `accepted` is not contested, or was not in time; the processor is being told. `won` and `lost` are the bank's word.
 */
export const disputeMachine = defineMachine({
  name: 'dispute',
  initial: 'needs_response',
  states: {
    needs_response: {
      on: { submit: 'under_review', accept: 'accepted', win: 'won', lose: 'lost' },
    },
    under_review: { on: { win: 'won', lose: 'lost' } },
    accepted: { on: { lose: 'lost', win: 'won' } },
    won: { on: {} },
    lost: { on: {} },
  },
});

/** What a client may ask for in each state, as long as there is time for it. */
export const disputeActions: Readonly<Record<StateOf<typeof disputeMachine>, readonly string[]>> = {
  needs_response: ['update', 'submit', 'accept'],
  under_review: [],
  accepted: [],
  won: [],
  lost: [],
};
