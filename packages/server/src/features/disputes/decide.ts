import { problem } from '@florin/contract/errors.ts';
import { disputeActions, disputeMachine } from '@florin/contract/machines/dispute.ts';
import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { DisputeNotification } from '../../processors/port/disputes.ts';
import { refundableOf, triggerOf } from '../follow-ups/payment-state.ts';
import type { ReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import type { Decision } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';

/** Time for a merchant to respond to a dispute, where the processor names no deadline: seven days. */
export const EVIDENCE_SECONDS = 7 * 24 * 60 * 60;

/** Origin of a dispute. */
interface DisputeSource {
  readonly processor: string;
  readonly mode: string;
  readonly processor_account_id?: string | null;
}

/** Times of a new dispute. */
interface DisputeTimes {
  /** Time of the payment's timeline. */
  readonly now: Micros;
  /** Time of the processor, which knows no sandbox clock. */
  readonly processor_now: Micros;
}

/**
 * A new dispute from a processor's first notification. Due at the end of the time for evidence, which a sandbox clock
 * does not shorten.
 */
export function createDisputeRow(
  { processor, mode, processor_account_id = null }: DisputeSource,
  { reference, reason, amount, currency, evidence_due_at: deadline }: DisputeNotification,
  { merchant_id = null, payment_demand_id = null }: Row,
  times: DisputeTimes,
): Row {
  const { now } = times;
  const at = instantText(now);
  const evidence_due_at = instantText(
    deadline === undefined ? now + seconds(EVIDENCE_SECONDS) : microsOf(deadline) + aheadOf(times),
  );
  return {
    merchant_id,
    mode,
    id: uuidv7(now),
    status: disputeMachine.initial,
    reason,
    amount_cents: String(amount),
    amount_currency: currency,
    processor,
    processor_account_id,
    reference,
    evidence_due_at,
    files_count: '0',
    payment_demand_id,
    due_at: evidence_due_at,
    created_at: at,
    updated_at: at,
  };
}

/** Lead of the timeline, in whole seconds as sandbox clocks have it. */
const aheadOf = ({ now, processor_now }: DisputeTimes): Micros =>
  seconds(Math.round((now - processor_now) / seconds(1)));

const decisionByStatus = {
  won: { trigger: 'win', events: ['won'] },
  lost: { trigger: 'lose', events: ['lost'] },
} as const;

/** A decision of the issuer. */
interface Outcome {
  readonly status: 'won' | 'lost';
  readonly is_second_round?: boolean;
}

/**
 * Records the issuer's decision. The first one counts, but a second chargeback takes back a won dispute. Undefined if
 * nothing changes.
 */
export function decideOutcome(
  dispute: Row,
  { status, is_second_round = false }: Outcome,
  now: Micros,
): (Decision & { readonly internal?: boolean }) | undefined {
  const at = instantText(now);
  const second_round_at = is_second_round ? at : null;
  const second_chargeback_at = status === 'lost' ? second_round_at : null;
  if (dispute.status === 'won' && is_second_round && status === 'won')
    return { set: { second_round_at }, events: [], internal: true };
  if (dispute.status === 'lost' || (dispute.status === 'won' && !is_second_round)) return undefined;
  // The merchant has won the second round, too: a chargeback that is notified later is a conflict.
  if (dispute.second_round_at != null) return undefined;
  const trigger = dispute.status === 'won' ? 'charge_back' : decisionByStatus[status].trigger;
  const set = { closed_at: at, due_at: null, second_round_at, second_chargeback_at };
  return { ...decisionByStatus[status], trigger, set };
}

/** Whether a decision contradicts the stored one. A second chargeback is later than any decision of the first round. */
export function isContradiction(
  { status: stored, second_chargeback_at }: Row,
  { status, is_second_round }: Outcome,
): boolean {
  if ((stored !== 'won' && stored !== 'lost') || stored === status) return false;
  return second_chargeback_at == null || is_second_round === true;
}

/** Why a dispute cannot be stored. */
export type DisputeProblem =
  | 'unreadable'
  | 'not_stored'
  | 'unknown_payment'
  | 'not_approved'
  | 'other_currency';

/**
 * Problem that quarantines a new dispute. Undefined without a problem, or while the authorisation's
 * outcome is unknown.
 */
export function findDisputeProblem(
  attempt: Row | undefined,
  { currency }: DisputeNotification,
): DisputeProblem | undefined {
  if (!attempt) return 'unknown_payment';
  if (attempt.is_undecided === 't') return undefined;
  const { status, payment_status, payment_currency } = attempt;
  if (status !== 'approved' || !capturedStatuses.has(payment_status as string))
    return 'not_approved';
  return payment_currency === currency ? undefined : 'other_currency';
}

const capturedStatuses: ReadonlySet<string> = new Set(['succeeded', 'disputed', 'reversed']);

/**
 * Change of a payment that follows from its disputes and refunds. Undefined if the payment stays
 * the same.
 */
export function decidePayment(
  payment: Row,
  amounts: ReservedAmounts,
): (Decision & { readonly internal?: boolean }) | undefined {
  if (!capturedStatuses.has(payment.status as string)) return undefined;
  const amount_refundable_cents = String(refundableOf(payment, amounts));
  const set = { amount_refundable_cents };
  const trigger = triggerOf(payment, amounts);
  if (trigger) return { trigger, set, events: [trigger === 'dispute' ? 'disputed' : 'updated'] };
  return amount_refundable_cents === payment.amount_refundable_cents
    ? undefined
    : { set, events: [], internal: true };
}

/** The merchant's evidence as one text for the issuer. */
export const evidenceOf = (dispute: Row): string =>
  evidenceFields
    .filter((name) => dispute[name])
    .map((name) => `${name}: ${dispute[name]}`)
    .join('\n\n');

export function decideSubmit(dispute: Row, now: Micros): Decision {
  requireAnswerable(dispute, 'submit', now);
  if (!evidenceOf(dispute) && Number(dispute.files_count) === 0) {
    throw problem(
      'blank',
      'The dispute has no evidence. Update an evidence field or upload a file before you submit it.',
      {
        pointer: '/data/attributes/uncategorized_text',
      },
    );
  }
  const at = instantText(now);
  return {
    trigger: 'submit',
    set: { submitted_at: at, due_at: at, ...newResponse },
    events: ['updated'],
  };
}

export function decideAccept(dispute: Row, now: Micros): Decision {
  requireAnswerable(dispute, 'accept', now);
  return {
    trigger: 'accept',
    set: { due_at: instantText(now), ...newResponse },
    events: ['updated'],
  };
}

/** Columns of a response that nothing was sent of. */
const newResponse = { response_problem: null, response_steps: null } as const;

export function decideEvidence(dispute: Row, columns: Row, now: Micros): Decision {
  requireAnswerable(dispute, 'update', now);
  return { set: columns, events: ['updated'] };
}

/** Accepts a dispute whose time for evidence has ended. Processors of accounts know their deadline themselves. */
export const lapseDecision = ({ processor_account_id }: Row, now: Micros): Decision => ({
  trigger: 'accept',
  set: { due_at: processor_account_id == null ? instantText(now) : null },
  events: ['updated'],
});

/** Throws 405 if the merchant can no longer respond. `action` is for the error, where it is no action of disputes. */
export function requireAnswerable(dispute: Row, action: string, now: Micros): void {
  const state = dispute.status as keyof typeof disputeActions;
  const isInTime = now < microsOf(dispute.evidence_due_at as string);
  if (isInTime && disputeActions[state].length > 0) return;
  throw wrongState({ noun: 'dispute', state, actions: [] }, action);
}
