import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { LateApprovals } from '@florin/contract/late-approvals.ts';
import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { AuthoriseResult } from '../../processors/port/processor.ts';
import {
  decideUnknown,
  failureDecision,
  finishedDemand,
  inquiryTime,
  isIn,
  type OutcomeChanges,
  UNSENT_MAX_SECONDS,
} from '../attempts/decide-outcome.ts';
import { isLostHold, LOST_HOLD } from '../attempts/lost-hold.ts';
import { ofExpectedAmount } from '../attempts/other-amount.ts';
import { checksOf, withProcessorFacts } from '../attempts/processor-facts.ts';
import { isUnproven, type ProofOfNoCharge, waitForProof } from '../attempts/unproven.ts';
import type { Decision } from '../records/updater.ts';
import { refusingRule } from '../risk/mismatches.ts';
import { type Approval, type ConfirmedResult, confirmApproval, onApproved } from './approve.ts';
import { withoutUsedProof } from './columns.ts';
import { onUnsent, resentCount } from './fallback/decide-unsent.ts';
import { decideFallback, type FallbackStep, failureAfter } from './fallback/fallback.ts';
import {
  abandon,
  afterAbandoning,
  afterTry,
  type FoundApproval,
  mayClose,
  noteApproval,
  noteRefusal,
  type ReversalTry,
  refuseApproval,
  refuseNoted,
  restartedReversal,
  reverseApproval,
  reversePart,
  superseded,
  undo,
} from './reversal.ts';

/** Seconds without a response after which an approval counts as late. */
export const LATE_APPROVAL_SECONDS = 60;

/** Maximum number of times that a payment is sent again after its message never arrived. */
export const RESENT_MAX = 3;

/** Finding of the resolver about an attempt without an outcome. */
type Finding =
  /**
   * The processor does not know the attempt. The message may still arrive within `arrives_in_ms`;
   * never, if 0 or negative.
   */
  | { readonly result: 'not_found'; readonly arrives_in_ms: number }
  /** The inquiry or reversal failed and will be repeated. */
  | ({
      readonly result: 'unresolved';
      readonly why: string;
      /** Reference that an inquiry found, although the outcome is still open. */
      readonly processor_reference?: string;
    } & ReversalTry)
  /** Nothing told the outcome in time, and the processor answers no inquiries: the attempt is cancelled. */
  | { readonly result: 'given_up' }
  /** An operator found out that nothing is charged. */
  | { readonly result: 'closed' }
  | ConfirmedResult
  /** The processor told that it refused a reversal that it had accepted. */
  | { readonly result: 'reversal_refused'; readonly reversal_reference: string }
  /** A restored installation found a later message of the payment. An approval of this one is reversed again. */
  | { readonly result: 'superseded'; readonly approval?: FoundApproval }
  /** Nothing is or can be charged: the attempt was reversed, or the issuer had `declined` it. */
  | ReversedResult;

interface ReversedResult {
  readonly result: 'reversed';
  readonly declined?: DeclineCode;
  readonly late_approvals?: LateApprovals;
}

/** Result to record for an attempt: from the processor or from the resolver. */
export type AttemptResult = (AuthoriseResult | RuledApproval | Finding) & ProofOfNoCharge;

/**
 * Approval with the merchant's rules about it. With `late_approvals: reverse`, an approval that an
 * inquiry found may come too late.
 */
type RuledApproval = Approval & {
  readonly late_approvals?: LateApprovals;
  /** Checks whose mismatch refuses the payment. */
  readonly refused_mismatches?: readonly CheckRule[];
};

/**
 * Decides the effect of a result; undefined if it has none. Only the first result counts. After a
 * recorded reversal, only the result of the reversal counts.
 */
export function decidePaymentOutcome(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): OutcomeChanges | undefined {
  const found = ofExpectedAmount(attempt, result);
  const changes = withProcessorFacts(attempt, changesOf(attempt, demand, found, now), found);
  if (changes?.demand.trigger !== 'decline') return changes;
  const failure_reason = failureAfter(demand, changes.demand.set.failure_reason as string);
  const set = { ...changes.demand.set, ...withoutUsedProof(demand), failure_reason };
  return { ...changes, demand: { ...changes.demand, set } };
}

function changesOf(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): OutcomeChanges | undefined {
  if (attempt.abandoned_at) return afterAbandoning(attempt, result, now);
  if (demand.status !== 'processing') return undefined;
  if (isUnproven(attempt, demand, result)) return waitForProof(attempt, demand, now);
  switch (result.result) {
    case 'approved':
      if (isIn(attempt, 'reversing')) return whileReversing(attempt, demand, result, now);
      if (isLostHold(attempt, result.captured)) return afterTry(attempt, demand, LOST_HOLD, now);
      return isIn(attempt, 'sending', 'unknown')
        ? onApproval(attempt, demand, result, now)
        : undefined;
    case 'partly_approved':
      if (isIn(attempt, 'reversing')) return noteApproval(attempt, result, now);
      return isIn(attempt, 'sending', 'unknown') ? reversePart(attempt, now) : undefined;
    case 'declined':
      return isIn(attempt, 'sending', 'unknown')
        ? onDeclined(attempt, demand, result, now)
        : undefined;
    case 'not_found':
      return isIn(attempt, 'sending', 'unknown')
        ? notFound(attempt, demand, result, now)
        : undefined;
    case 'unresolved':
      return isIn(attempt, 'sending', 'unknown', 'reversing')
        ? afterTry(attempt, demand, result, now)
        : undefined;
    case 'given_up':
      if (isIn(attempt, 'unknown'))
        return reverseApproval(attempt, 'processor_unreachable', {}, now);
      // The sender crashed, and no resolver ran since.
      return isIn(attempt, 'sending') ? decideUnknown(attempt, demand, now) : undefined;
    case 'closed':
      return mayClose(attempt) ? onClosed(attempt, demand, now) : undefined;
    case 'confirmed':
      return mayClose(attempt) ? confirmApproval(demand, result, now) : undefined;
    case 'reversal_refused':
      return noteRefusal(attempt, result.reversal_reference);
    case 'superseded':
      return superseded(attempt, result.approval, now);
    case 'reversed':
      return isIn(attempt, 'reversing') ? onReversed(attempt, demand, result, now) : undefined;
    case 'not_sent':
      return isIn(attempt, 'sending') ? onUnsent(attempt, demand, result.why, now) : undefined;
    default:
      return isIn(attempt, 'sending') ? decideUnknown(attempt, demand, now) : undefined;
  }
}

/**
 * Whether an approval is too late for its merchant. The time counts from the missing response, or
 * from the attempt's creation if the sender crashed. The response to a recovered attempt may have been in time.
 */
function isTooLate(
  { unknown_since, created_at, recovered_at }: Row,
  { late_approvals }: RuledApproval,
  now: Micros,
): boolean {
  if (recovered_at) return false;
  const missing_since = unknown_since ?? created_at;
  if (late_approvals !== 'reverse' || !missing_since) return false;
  return now - microsOf(missing_since) >= seconds(LATE_APPROVAL_SECONDS);
}

function onApproval(
  attempt: Row,
  demand: Row,
  result: RuledApproval & ProofOfNoCharge,
  now: Micros,
): OutcomeChanges {
  if (isTooLate(attempt, result, now))
    return reverseApproval(attempt, 'processor_timeout', restartedReversal(attempt, now), now);
  const rule = refusingRule(demand, result, result.refused_mismatches);
  if (!rule) return onApproved(demand, result, now);
  return attempt.recovered_at && !result.asked_all
    ? waitForProof(attempt, demand, now)
    : refuseApproval(attempt, result, rule, now);
}

/** An approval that is told during its reversal. The merchant's rules about it decide why the payment fails. */
function whileReversing(
  attempt: Row,
  demand: Row,
  result: RuledApproval,
  now: Micros,
): OutcomeChanges | undefined {
  const changes = noteApproval(attempt, result, now);
  const rule = refusingRule(demand, result, result.refused_mismatches);
  return changes && rule ? refuseNoted(attempt, changes, result, rule) : changes;
}

function onDeclined(
  attempt: Row,
  demand: Row,
  result: Extract<AuthoriseResult, { result: 'declined' }>,
  now: Micros,
): OutcomeChanges {
  const { code, advice } = result;
  const step = decideFallback(attempt, demand, { result: 'declined', why: code, advice }, now);
  if (step) return askAnother(result, step, now);
  const failure = failureDecision(code, now);
  return {
    attempt: { trigger: 'decline', set: { decline_code: result.code, due_at: null }, events: [] },
    demand: { ...failure, set: { ...failure.set, ...checksOf(result) } },
  };
}

/**
 * The decline is final for its account, and the payment is due at once for another. The attempt counts as abandoned: an
 * approval that is told later is reversed, also while the other account is asked.
 */
function askAnother(
  result: Extract<AuthoriseResult, { result: 'declined' }>,
  step: FallbackStep,
  now: Micros,
): OutcomeChanges {
  const at = instantText(now);
  const attemptSet = { decline_code: result.code, due_at: null, abandoned_at: at };
  const fallback_after = JSON.stringify(step);
  const dueNow = {
    outcome: null,
    outcome_since: null,
    unsent_since: null,
    due_at: at,
    fallback_after,
  };
  return {
    attempt: { trigger: 'decline', set: attemptSet, events: [] },
    demand: { trigger: 'requeue', set: { ...dueNow, ...checksOf(result) }, events: [] },
  };
}

/**
 * Decides about an attempt that the processor does not know. The message may still arrive; once
 * that is impossible, the resolver reverses it within its lease.
 */
function notFound(
  attempt: Row,
  demand: Row,
  { arrives_in_ms }: Extract<Finding, { result: 'not_found' }>,
  now: Micros,
): OutcomeChanges {
  if (arrives_in_ms > 0) {
    const arrived_at = now + seconds(Math.ceil(arrives_in_ms / 1000));
    const next = Math.min(inquiryTime(Number(attempt.inquiries), 'usual', now), arrived_at);
    return decideUnknown(attempt, demand, now, next);
  }
  const unknown_since = attempt.unknown_since ?? instantText(now);
  return {
    attempt: { trigger: 'reverse', set: { unknown_since }, events: [] },
    demand: { set: {}, events: [] },
  };
}

function onReversed(
  attempt: Row,
  demand: Row,
  reversedResult: ReversedResult,
  now: Micros,
): OutcomeChanges {
  const decline_code = reversedResult.declined ?? attempt.decline_code ?? null;
  return {
    attempt: { trigger: 'undo', set: { decline_code, due_at: null }, events: [] },
    demand: afterReversal({ ...attempt, decline_code }, demand, reversedResult, now),
  };
}

/** An operator ends a reversal that nobody confirmed. Without the processor's reference, an approval may still come. */
function onClosed(attempt: Row, demand: Row, now: Micros): OutcomeChanges {
  const closed = attempt.processor_reference ? undo() : abandon(now);
  const changes = demand.cancellation_reason
    ? releasedDecision(now)
    : failureDecision(reasonOf(attempt), now);
  return { attempt: closed, demand: changes };
}

function afterReversal(
  attempt: Row,
  demand: Row,
  reversedResult: ReversedResult,
  now: Micros,
): Decision {
  if (demand.cancellation_reason) return releasedDecision(now);
  // A message without a deadline, from an earlier version, may have been sent.
  const neverLeft = !attempt.decline_code && !!attempt.not_after;
  if (neverLeft && isRecent(attempt, reversedResult, now) && resentCount(demand) < RESENT_MAX)
    return sentAgain(demand, now);
  return failureDecision(reasonOf(attempt), now);
}

/**
 * Whether the payer may still wait for this payment, and the merchant accepts an approval.
 * Abandoned orders must not be charged.
 */
function isRecent({ created_at }: Row, { late_approvals }: ReversedResult, now: Micros): boolean {
  const limit_s = late_approvals === 'reverse' ? LATE_APPROVAL_SECONDS : UNSENT_MAX_SECONDS;
  return now - microsOf(created_at as string) < seconds(limit_s);
}

/** Returns the payment to its state before sending, because nothing is or can be charged. */
const sentAgain = (demand: Row, now: Micros): Decision => ({
  trigger: 'requeue',
  set: {
    outcome: null,
    outcome_since: null,
    resent_count: String(resentCount(demand) + 1),
    due_at: instantText(now),
  },
  events: [],
});

/** Reason for a reversal. Without a recorded reason, the processor never knew the attempt. */
const reasonOf = ({ decline_code }: Row): DeclineCode =>
  (decline_code as DeclineCode | null | undefined) ?? 'processor_unreachable';

const releasedDecision = (now: Micros): Decision => ({
  trigger: 'release',
  set: { ...finishedDemand, hold_expires_at: null, canceled_at: instantText(now) },
  events: ['updated'],
});
