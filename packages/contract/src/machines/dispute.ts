import { defineMachine, type StateOf } from './define-machine.ts';

/**
 * A dispute: the payer demands the money back from the issuer. The merchant may respond with
 * evidence.
 * `accepted`: the merchant did not contest, or not in time; the processor is notified. If the processor refuses a
 * response, the dispute needs a response again. The issuer decides `won` or `lost`. A second chargeback makes a won
 * dispute `lost`.
 */
export const disputeMachine = defineMachine({
  name: 'dispute',
  initial: 'needs_response',
  states: {
    needs_response: {
      on: { submit: 'under_review', accept: 'accepted', win: 'won', lose: 'lost' },
    },
    under_review: { on: { refuse: 'needs_response', win: 'won', lose: 'lost' } },
    accepted: { on: { refuse: 'needs_response', lose: 'lost', win: 'won' } },
    won: { on: { charge_back: 'lost' } },
    lost: { on: {} },
  },
});

/** Client actions per state, before the end of the time for evidence. */
export const disputeActions: Readonly<Record<StateOf<typeof disputeMachine>, readonly string[]>> = {
  needs_response: ['update', 'submit', 'accept'],
  under_review: [],
  accepted: [],
  won: [],
  lost: [],
};
