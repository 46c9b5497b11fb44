import { problem } from '@florin/contract/errors.ts';
import type { LateApprovals } from '@florin/contract/late-approvals.ts';
import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Row } from '../../platform/database/row.ts';
import { isReversal, mayStillReverse } from '../attempts/accepted-reversals.ts';
import { isIn } from '../attempts/decide-outcome.ts';
import { approvedAmountOf } from '../attempts/other-amount.ts';
import { isSameReference } from '../attempts/own-processor.ts';
import { ruleAgainst } from '../payments/confirmation/rules-about-checks.ts';
import { isOfLostAnswers } from '../payments/reversal.ts';

/** Outcomes that an operator may find at a processor. */
export const foundOutcomes = ['failed', 'succeeded'] as const;
export type FoundOutcome = (typeof foundOutcomes)[number];

/** Settlement lines of a payment, and its merchant's settings. */
interface Circumstances {
  readonly reported: readonly Row[];
  readonly late_approvals: LateApprovals;
  readonly refused_mismatches: readonly CheckRule[];
}

/** Facts that an operator found at the processor. */
export interface FoundAtProcessor {
  readonly outcome: FoundOutcome;
  /** Id of the payment there; only of an authorisation that succeeded. */
  readonly reference?: string | undefined;
}

/** Throws 405 while Florin finds out itself, and where the outcome is known. */
export function requireOperatorsTurn(attempt: Row): void {
  if (!isIn(attempt, 'unknown', 'reversing')) throw outcomeKnown();
  const { due_at } = attempt;
  if (due_at)
    throw problem(
      'invalid_state',
      `Florin finds out itself, next at ${due_at}. Close the outcome once the list says that an operator must.`,
    );
}

/**
 * Throws 422 for an authorisation that nothing proves to be captured: an unknown outcome is never guessed. `reported` are
 * the lines of the payment in settlement reports, which may be none.
 */
export function requireProof(
  attempt: Row,
  demand: Row,
  { reference }: FoundAtProcessor,
  { reported, late_approvals, refused_mismatches }: Circumstances,
): void {
  if (!reference)
    throw problem(
      'blank',
      'processor_reference is required: the id of the captured payment at the processor.',
      { pointer: '/processor_reference' },
    );
  const rule = ruleAgainst(attempt, demand, refused_mismatches);
  const obstacle =
    late_approvals === 'reverse'
      ? `The merchant takes no late approvals. ${REFUND}`
      : (findObstacle(attempt, demand, reported) ??
        (rule && `The merchant refuses payments with ${rule}. ${REFUND}`));
  if (obstacle) throw problem('invalid_value', obstacle, { pointer: '/outcome' });
  if (isReversal(attempt, reference))
    throw problem(
      'invalid_value',
      'processor_reference is the id of a reversal. Send the id of the payment.',
      { pointer: '/processor_reference' },
    );
  if (!isSameReference(attempt.processor_reference, reference))
    throw problem(
      'invalid_value',
      `processor_reference must be ${attempt.processor_reference}: the processor told this id of the payment.`,
      { pointer: '/processor_reference' },
    );
}

const REFUND = 'Refund it at the processor, then close it as failed.';

/** Why an authorisation cannot have succeeded here, as a sentence with the next step. */
function findObstacle(attempt: Row, demand: Row, reported: readonly Row[]): string | undefined {
  if (attempt.recovered_at)
    return 'A restore holds this payment. Record the finding with florin restore decide.';
  if (attempt.abandoned_at) return `The payment has another attempt meanwhile. ${REFUND}`;
  if (demand.cancellation_reason) return `The payment was cancelled here. ${REFUND}`;
  if (demand.capture_method === 'manual')
    return 'The merchant captures this payment later. Cancel it at the processor, then close it as failed.';
  if (!isOfLostAnswers(attempt))
    return `Florin refused this payment (${attempt.decline_code}). ${REFUND}`;
  if (mayStillReverse(attempt))
    return 'The processor accepted a reversal of this payment, and has not told its outcome. Let it send its notifications again, or see that it gives the money back, then close this as failed.';
  const other = approvedAmountOf(attempt);
  if (other) return `The processor approved another amount (${other}). ${REFUND}`;
  const returned = reported.find(({ kind, entry }) => kind === 'reversed' || entry !== 'capture');
  if (returned)
    return 'A settlement report has money of this payment that went back. Close it as failed.';
  const differing = reported.find((line) => !isAmountOf(attempt, line));
  return differing
    ? `A settlement report has ${differing.found_cents} ${differing.amount_currency} in minor units. ${REFUND}`
    : undefined;
}

const isAmountOf = (attempt: Row, { found_cents, amount_currency }: Row): boolean =>
  found_cents === attempt.amount_cents && amount_currency === attempt.amount_currency;

export const outcomeKnown = () =>
  problem(
    'invalid_state',
    'The outcome is known already. Load the list of unknown outcomes again.',
  );
