import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type {
  FollowUpApprovedResult,
  FollowUpDeclinedResult,
  FollowUpResult,
} from '../../processors/port/processor.ts';
import {
  decideUnknown,
  failureDecision,
  finishedDemand,
  isIn,
  type NextInquiry,
  type OutcomeChanges,
  unsentChanges,
} from '../attempts/decide-outcome.ts';
import { withProcessorFacts } from '../attempts/processor-facts.ts';

/** Result to record for an attempt: the processor's result, or a failed inquiry. */
export type FollowUpOutcome =
  | FollowUpResult
  | {
      readonly result: 'unresolved';
      readonly why: string;
      /** Reference of a receipt, although the outcome is still open. */
      readonly processor_reference?: string;
      readonly next?: NextInquiry;
    };

/**
 * Effect of a result on an attempt and its follow-up. Undefined without an effect: the first result
 * is final.
 */
export const decideFollowUpOutcome = (
  attempt: Row,
  demand: Row,
  outcome: FollowUpOutcome,
  now: Micros,
): OutcomeChanges | undefined =>
  withProcessorFacts(attempt, changesOf(attempt, demand, outcome, now), outcome);

function changesOf(
  attempt: Row,
  demand: Row,
  outcome: FollowUpOutcome,
  now: Micros,
): OutcomeChanges | undefined {
  if (demand.status !== 'processing' || !isIn(attempt, 'sending', 'unknown')) return undefined;
  switch (outcome.result) {
    case 'approved':
      return approvedChanges(outcome, now);
    case 'declined':
      return declinedChanges(outcome, now);
    case 'unresolved':
      return decideUnknown(attempt, demand, now, outcome.next);
    case 'not_sent':
      // A resolver may have sent the message again; that message may still arrive.
      return isIn(attempt, 'sending') && !attempt.resent_at
        ? unsentChanges(demand, now)
        : undefined;
    default:
      return isIn(attempt, 'sending') ? decideUnknown(attempt, demand, now) : undefined;
  }
}

const approvedChanges = (
  { network_transaction_id }: FollowUpApprovedResult,
  now: Micros,
): OutcomeChanges => ({
  attempt: { trigger: 'approve', set: { network_transaction_id, due_at: null }, events: [] },
  demand: {
    trigger: 'approve',
    set: { ...finishedDemand, succeeded_at: instantText(now) },
    events: ['succeeded'],
  },
});

/** Effect of a decline. The payment's reserved amount becomes available. */
export const declinedChanges = ({ code }: FollowUpDeclinedResult, now: Micros): OutcomeChanges => ({
  attempt: { trigger: 'decline', set: { decline_code: code, due_at: null }, events: [] },
  demand: failureDecision(code, now),
});
