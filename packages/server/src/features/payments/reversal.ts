import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import { type CheckRule, checkRuleFacts } from '@florin/contract/risk/check-rules.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type {
  ApprovedResult,
  CardChecks,
  PartialApproval,
} from '../../processors/port/processor.ts';
import { withReversal } from '../attempts/accepted-reversals.ts';
import {
  decideUnknown,
  isIn,
  type NextInquiry,
  type OutcomeChanges,
} from '../attempts/decide-outcome.ts';
import { approvedAmountOf } from '../attempts/other-amount.ts';
import { checksOf } from '../attempts/processor-facts.ts';
import type { Decision } from '../records/updater.ts';
import { refusedOutcome } from '../risk/mismatches.ts';

/** Columns of a reversal whose repetitions count from now, because more is known than before. */
export const restartedReversal = ({ unknown_since }: Row, now: Micros): Row =>
  unknown_since ? { unknown_since: instantText(now) } : {};

/** Columns of a reversal that is due now. */
export const dueReversal = (attempt: Row, now: Micros): Row => ({
  due_at: instantText(now),
  ...restartedReversal(attempt, now),
});

/**
 * Reverses an approval that must not count. The payment fails once the processor acknowledges the
 * reversal. An attempt that the resolver has claimed keeps its lease.
 */
export const reverseApproval = (
  attempt: Row,
  reason: DeclineCode,
  resultColumns: Row,
  now: Micros,
): OutcomeChanges => ({
  attempt: {
    trigger: 'reverse',
    set: {
      ...resultColumns,
      decline_code: reason,
      ...(isIn(attempt, 'sending') && { due_at: instantText(now) }),
    },
    events: [],
  },
  demand: { set: {}, events: [] },
});

/** Reverses a partial approval: a part of the amount does not pay for the order. */
export const reversePart = (attempt: Row, now: Micros): OutcomeChanges =>
  reverseApproval(attempt, 'insufficient_funds', restartedReversal(attempt, now), now);

/** Reverses an approval that a rule of the merchant refuses. No capture follows it. */
export function refuseApproval(
  attempt: Row,
  checks: CardChecks,
  rule: CheckRule,
  now: Micros,
): OutcomeChanges {
  const { failure_reason } = checkRuleFacts[rule];
  return {
    ...reverseApproval(attempt, failure_reason, restartedReversal(attempt, now), now),
    demand: refusedDemand(checks, rule),
  };
}

const refusedDemand = (checks: CardChecks, rule: CheckRule): Decision => ({
  set: { ...checksOf(checks), risk_outcome: JSON.stringify(refusedOutcome(rule)) },
  events: [],
});

/** Whether a reversal began because answers were lost. Others follow a rule of the merchant, or a decline. */
export const isOfLostAnswers = ({ decline_code }: Row): boolean =>
  decline_code == null || decline_code === 'processor_unreachable';

/** Gives a reversal that began because of lost answers the reason of a rule that refuses its approval. */
export function refuseNoted(
  attempt: Row,
  changes: OutcomeChanges,
  checks: CardChecks,
  rule: CheckRule,
): OutcomeChanges {
  if (!isOfLostAnswers(attempt)) return changes;
  const { failure_reason } = checkRuleFacts[rule];
  const set = { ...changes.attempt.set, decline_code: failure_reason };
  return { attempt: { ...changes.attempt, set }, demand: refusedDemand(checks, rule) };
}

/** An approval that is told during a reversal. */
type NotedApproval = Pick<ApprovedResult, 'processor_reference' | 'codes'> &
  Partial<Pick<ApprovedResult, 'authorisation_code' | 'network_transaction_id' | 'cvc2_check'>> &
  Partial<Pick<PartialApproval, 'approvedAmount'>>;

/**
 * An approval that is being reversed keeps its state. A new reference makes the reversal exact, so the next one is due now.
 * Checks and another amount are kept for the operator who may confirm it. Undefined if nothing is new.
 */
export function noteApproval(
  attempt: Row,
  result: NotedApproval,
  now: Micros,
): OutcomeChanges | undefined {
  const { processor_reference: reference } = result;
  const known = attempt.processor_reference;
  if (known && reference && known !== reference) return undefined;
  const isFound = reference !== undefined && !known;
  const isChecked = result.cvc2_check !== undefined && attempt.cvc2_check == null;
  if (!isFound && !isChecked && !tellsOtherAmount(attempt, result)) return undefined;
  const set = {
    ...(isFound && dueReversal(attempt, now)),
    ...(isChecked && {
      authorisation_code: result.authorisation_code ?? null,
      network_transaction_id: result.network_transaction_id ?? null,
    }),
  };
  return { attempt: { set, events: [] }, demand: { set: {}, events: [] } };
}

/** Whether a result tells another amount that the attempt does not have yet. */
function tellsOtherAmount(attempt: Row, { approvedAmount, codes }: NotedApproval): boolean {
  if (approvedAmount !== undefined) return attempt.approved_cents !== String(approvedAmount);
  const other = codes && approvedAmountOf({ codes: JSON.stringify(codes) });
  return other !== undefined && other !== approvedAmountOf(attempt);
}

/** A try that found no outcome. */
export interface ReversalTry {
  readonly next?: NextInquiry;
  /** The processor's reference, if the try found it. */
  readonly processor_reference?: string;
  /** Whether a reversal that was tried named the processor's reference. */
  readonly by_reference?: boolean;
  /** The processor's reference of a reversal that it accepted and has not finished. */
  readonly accepted_as?: string;
}

/**
 * Effect of a try that found no outcome. A reversal that finds the payment at the processor counts its repetitions from
 * now: what can be refused is known since then.
 */
export function afterTry(
  attempt: Row,
  demand: Row,
  tried: ReversalTry,
  now: Micros,
): OutcomeChanges {
  const changes = decideUnknown(attempt, demand, now, nextInquiryAfter(attempt, tried, now));
  if (!isIn(attempt, 'reversing')) return changes;
  const { processor_reference, accepted_as } = tried;
  const set = {
    ...changes.attempt.set,
    ...(processor_reference && !attempt.processor_reference && restartedReversal(attempt, now)),
    ...(accepted_as !== undefined && withReversal(attempt, accepted_as, 'accepted')),
  };
  return { ...changes, attempt: { ...changes.attempt, set } };
}

/** Notes that the processor refused a reversal that it had accepted. The attempt stays as it is. */
export function noteRefusal(attempt: Row, reference: string): OutcomeChanges | undefined {
  const set = isIn(attempt, 'reversing') && withReversal(attempt, reference, 'refused');
  return set ? { attempt: { set, events: [] }, demand: { set: {}, events: [] } } : undefined;
}

/** Next inquiry after a try. A reversal by our id is repeated at once if the processor's reference came meanwhile. */
const nextInquiryAfter = (
  { processor_reference }: Row,
  { by_reference, next }: ReversalTry,
  now: Micros,
): NextInquiry | undefined => (processor_reference && by_reference === false ? now : next);

/** Whether an operator may end a reversal: Florin has stopped repeating it. */
export const mayClose = (attempt: Row): boolean => isIn(attempt, 'reversing') && !attempt.due_at;

export const undo = (): Decision => ({ trigger: 'undo', set: { due_at: null }, events: [] });

/** Ends an attempt that nobody knows at the processor. */
export const abandon = (now: Micros): Decision => ({
  trigger: 'abandon',
  set: { due_at: null, abandoned_at: instantText(now) },
  events: [],
});

/** Members of a result that matter to an abandoned attempt. */
type ResultOfAbandoned = ReversalTry & NotedApproval & { readonly result: string };

/**
 * Effect of a result on an attempt that was abandoned, or whose decline led to a second account. A late approval is
 * reversed. The payment may have another attempt meanwhile, so nothing changes it.
 */
export function afterAbandoning(
  attempt: Row,
  result: ResultOfAbandoned,
  now: Micros,
): OutcomeChanges | undefined {
  const changes = attemptAfterAbandoning(attempt, result, now);
  return changes && { attempt: changes, demand: { set: {}, events: [] } };
}

function attemptAfterAbandoning(
  attempt: Row,
  result: ResultOfAbandoned,
  now: Micros,
): Decision | undefined {
  const isReversing = isIn(attempt, 'reversing');
  switch (result.result) {
    case 'approved':
    case 'partly_approved':
      if (isReversing) return noteApproval(attempt, result, now)?.attempt;
      return isIn(attempt, 'abandoned', 'declined')
        ? { trigger: 'reverse', set: dueReversal(attempt, now), events: [] }
        : undefined;
    case 'reversed':
      return isIn(attempt, 'reversing', 'abandoned') ? undo() : undefined;
    case 'closed':
      return mayClose(attempt) ? undo() : undefined;
    case 'unresolved':
      return isReversing ? afterTry(attempt, {}, result, now).attempt : undefined;
    default:
      return undefined;
  }
}

/** Approval of an attempt whose payment has a later message. `approvedAmount`: minor units of a partial one. */
export interface FoundApproval extends Partial<Pick<PartialApproval, 'approvedAmount'>> {
  readonly processor_reference?: string;
}

/**
 * Frees the payment for its later message, before which Florin reversed this attempt. An approval or a reversal of the
 * attempt stays due, since nobody knows whether its processor has acknowledged it. A late approval is reversed.
 */
export function superseded(
  attempt: Row,
  approval: FoundApproval | undefined,
  now: Micros,
): OutcomeChanges | undefined {
  if (!isIn(attempt, 'sending', 'unknown', 'reversing')) return undefined;
  const at = instantText(now);
  const demandSet = { outcome: null, outcome_since: null, unsent_since: null, due_at: at };
  return {
    attempt: abandonedFor(attempt, approval, now),
    demand: { trigger: 'requeue', set: demandSet, events: [] },
  };
}

function abandonedFor(attempt: Row, approval: FoundApproval | undefined, now: Micros): Decision {
  const abandoned_at = instantText(now);
  if (isIn(attempt, 'reversing'))
    return { set: { ...dueReversal(attempt, now), abandoned_at }, events: [] };
  const decline_code = 'processor_unreachable';
  if (!approval)
    return { trigger: 'decline', set: { decline_code, due_at: null, abandoned_at }, events: [] };
  const { approvedAmount, processor_reference } = approval;
  const set = {
    ...dueReversal(attempt, now),
    decline_code,
    abandoned_at,
    ...(approvedAmount !== undefined && { approved_cents: String(approvedAmount) }),
    ...(processor_reference !== undefined && { processor_reference }),
  };
  return { trigger: 'reverse', set, events: [] };
}
