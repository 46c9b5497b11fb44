import { instantText, type Micros } from '../../kernel/clock.ts';
import type { RefundApproved, RefundDeclined, RefundResult } from '../../processors/processor.ts';
import type { Row } from '../../store/row.ts';
import {
  failedWith,
  isIn,
  lost,
  notSent,
  type Settlement,
  settledDemand,
} from '../attempts/settlement.ts';

/** What is to be recorded of a refund's attempt: an answer, or that the resolver could not find out. */
export type RefundOutcome = RefundResult | { readonly result: 'unresolved'; readonly why: string };

/** Decides what an answer means. Undefined where it changes nothing: the first answer stands. */
export function decideRefundSettlement(
  attempt: Row,
  refund: Row,
  outcome: RefundOutcome,
  now: Micros,
): Settlement | undefined {
  if (refund.status !== 'processing' || !isIn(attempt, 'sending', 'unknown')) return undefined;
  switch (outcome.result) {
    case 'approved':
      return approved(outcome, now);
    case 'declined':
      return declined(outcome, now);
    case 'unresolved':
      return lost(attempt, refund, now);
    case 'not_sent':
      return isIn(attempt, 'sending') ? notSent(refund, now) : undefined;
    default:
      return isIn(attempt, 'sending') ? lost(attempt, refund, now) : undefined;
  }
}

const approved = ({ network_transaction_id }: RefundApproved, now: Micros): Settlement => ({
  attempt: { trigger: 'approve', set: { network_transaction_id, due_at: null }, events: [] },
  demand: {
    trigger: 'approve',
    set: { ...settledDemand, succeeded_at: instantText(now) },
    events: ['succeeded'],
  },
});

/** What it had reserved of the payment is free again. */
const declined = ({ code }: RefundDeclined, now: Micros): Settlement => ({
  attempt: { trigger: 'decline', set: { decline_code: code, due_at: null }, events: [] },
  demand: failedWith(code, now),
});
