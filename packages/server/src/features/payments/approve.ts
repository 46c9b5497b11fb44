import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { AuthoriseResult } from '../../processors/port/processor.ts';
import { finishedDemand, type OutcomeChanges } from '../attempts/decide-outcome.ts';
import { checksOf, storedChecks } from '../attempts/processor-facts.ts';
import { feeOf } from '../ledger/fee.ts';
import type { Decision } from '../records/updater.ts';
import { withoutUsedCryptogram } from './columns.ts';

/**
 * Seconds that an uncaptured hold lasts. Networks release holds automatically at about that time.
 */
export const HOLD_SECONDS = 7 * 24 * 60 * 60;

export type Approval = Extract<AuthoriseResult, { result: 'approved' }>;
type ApprovalFacts = Omit<Approval, 'result'>;

/** An operator found the payment captured at its processor, after Florin had stopped looking. */
export interface ConfirmedResult extends ApprovalFacts {
  readonly result: 'confirmed';
}

/** Facts of an approval that a person found, with all that its processor told of it before. */
export const foundApproval = (
  attempt: Row,
  processor_reference: string | null | undefined,
): ApprovalFacts => ({
  authorisation_code: attempt.authorisation_code ?? null,
  network_transaction_id: attempt.network_transaction_id ?? null,
  ...storedChecks(attempt),
  ...(processor_reference && { processor_reference }),
});

/** Approves an attempt that Florin had begun to reverse: the reason of the reversal goes. */
export function confirmApproval(demand: Row, result: ConfirmedResult, now: Micros): OutcomeChanges {
  const { attempt, demand: decision } = onApproved(demand, result, now);
  return { attempt: { ...attempt, set: { ...attempt.set, decline_code: null } }, demand: decision };
}

/** Approves an attempt and its payment. An automatic payment is captured too, unless the result says otherwise. */
export function onApproved(demand: Row, result: ApprovalFacts, now: Micros): OutcomeChanges {
  return {
    attempt: {
      trigger: 'approve',
      set: {
        authorisation_code: result.authorisation_code,
        network_transaction_id: result.network_transaction_id,
        due_at: null,
      },
      events: [],
    },
    demand: withoutCryptogram(demand, withParties(demand, approvedDecision(demand, result, now))),
  };
}

const approvedDecision = (demand: Row, result: ApprovalFacts, now: Micros): Decision =>
  demand.capture_method === 'manual' || result.captured === false
    ? placeHold(demand, result, now)
    : onCaptured(demand, result, now);

const withoutCryptogram = (demand: Row, decision: Decision): Decision => ({
  ...decision,
  set: { ...decision.set, ...withoutUsedCryptogram(demand) },
});

/** Columns that an approval fills if they are unset, with their source columns. */
const PARTY_DEFAULTS = {
  buyer_id: 'payer_id',
  receiver_id: 'payer_id',
  shipping_address_id: 'billing_address_id',
} as const;

/** Adds missing parties to a decision. Keeps parties that the merchant named. */
function withParties(demand: Row, decision: Decision): Decision {
  const missingParties = Object.entries(PARTY_DEFAULTS).filter(([column]) => !demand[column]);
  const parties = missingParties.map(([column, source]) => [column, demand[source] ?? null]);
  return { ...decision, set: { ...decision.set, ...Object.fromEntries(parties) } };
}

function onCaptured(demand: Row, result: ApprovalFacts, now: Micros): Decision {
  const amount_cents = demand.amount_cents as string;
  const amounts = {
    amount_authorised_cents: amount_cents,
    amount_captured_cents: amount_cents,
    amount_refundable_cents: amount_cents,
    fee_cents: feeOf(amount_cents, demand),
  };
  const set = { ...finishedDemand, ...checksOf(result), ...amounts, failure_reason: null };
  return {
    trigger: 'approve',
    set: { ...set, succeeded_at: instantText(now) },
    events: ['succeeded'],
  };
}

/**
 * Approves with a hold. The payment is due when the hold expires, and a worker then releases it.
 */
function placeHold(demand: Row, result: ApprovalFacts, now: Micros): Decision {
  const { amount_cents = null, capture_method } = demand;
  const hold_expires_at = instantText(now + seconds(HOLD_SECONDS));
  return {
    trigger: 'hold',
    set: {
      ...finishedDemand,
      ...checksOf(result),
      amount_authorised_cents: amount_cents,
      hold_expires_at,
      due_at: hold_expires_at,
      failure_reason: null,
    },
    // An automatic capture follows in the same transaction, and tells about both changes.
    events: capture_method === 'manual' ? ['updated'] : [],
  };
}
