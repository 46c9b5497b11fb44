import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { LateApprovals } from '@florin/contract/late-approvals.ts';
import { type CardRefusal, cardRefusals, isVaultFault } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { AuthoriseResult, PartlyApproved } from '../../processors/processor.ts';
import {
  failedWith,
  finishedDemand,
  isIn,
  notSent,
  type OutcomeChanges,
  UNSENT_MAX_SECONDS,
  unknownOutcome,
} from '../attempts/decide-outcome.ts';
import { feeOf } from '../ledger/fee.ts';
import type { Decision } from '../records/updater.ts';
import { withoutUsedProof } from './columns.ts';

/** Life of an uncaptured hold. Networks release holds automatically about then. */
export const HOLD_SECONDS = 7 * 24 * 60 * 60;

/** Age of a lost response from which an approval is late. */
export const LATE_APPROVAL_SECONDS = 60;

/** How often a payment is sent again whose message never arrived. */
export const RESENT_MAX = 3;

/**
 * How often the verification value may be missing: a slow vault restores it with a message that
 * came too late.
 */
export const CVV_MISSES_MAX = 1;

/** The resolver's finding about an attempt without an outcome. */
type Finding =
  /**
   * The processor does not know the attempt, which may arrive within `arrives_in_ms`; never, if not
   * positive.
   */
  | { readonly result: 'not_found'; readonly arrives_in_ms: number }
  /** The inquiry or reversal failed and is repeated. */
  | { readonly result: 'unresolved'; readonly why: string }
  /** Nothing was or can be charged: reversed, or `declined` by the issuer before. */
  | Reversed;

interface Reversed {
  readonly result: 'reversed';
  readonly declined?: DeclineCode;
  readonly late_approvals?: LateApprovals;
}

/** Result to record for an attempt: the processor's, or the resolver's finding. */
export type AttemptResult = AuthoriseResult | FoundLate | Finding;

/** An approval that an inquiry found; the merchant may not want it any more. */
type FoundLate = Approval & { readonly late_approvals?: LateApprovals };

/**
 * Decides the effect of a result. Undefined without one: the first result stands, and after a
 * recorded reversal only its own outcome counts.
 */
export function decidePaymentOutcome(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): OutcomeChanges | undefined {
  const changes = changesOf(attempt, demand, result, now);
  if (changes?.demand.trigger !== 'decline') return changes;
  const set = { ...changes.demand.set, ...withoutUsedProof(demand) };
  return { ...changes, demand: { ...changes.demand, set } };
}

function changesOf(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): OutcomeChanges | undefined {
  if (demand.status !== 'processing') return undefined;
  switch (result.result) {
    case 'approved':
      if (!isIn(attempt, 'sending', 'unknown')) return undefined;
      return isUnwanted(attempt, result, now)
        ? reverseApproval(attempt, 'processor_timeout', {}, now)
        : approved(demand, result, now);
    case 'partly_approved':
      return isIn(attempt, 'sending', 'unknown') ? partlyApproved(attempt, result, now) : undefined;
    case 'declined':
      return isIn(attempt, 'sending', 'unknown') ? declined(result, now) : undefined;
    case 'not_found':
      return isIn(attempt, 'sending', 'unknown')
        ? notFound(attempt, demand, result, now)
        : undefined;
    case 'unresolved':
      return isIn(attempt, 'sending', 'unknown', 'reversing')
        ? unknownOutcome(attempt, demand, now)
        : undefined;
    case 'reversed':
      return isIn(attempt, 'reversing') ? reversed(attempt, demand, result, now) : undefined;
    case 'not_sent':
      return isIn(attempt, 'sending') ? unsent(demand, result.why, now) : undefined;
    default:
      return isIn(attempt, 'sending') ? unknownOutcome(attempt, demand, now) : undefined;
  }
}

/**
 * Sending again is useless if the vault has lost the card or cryptogram. Single-use data of a
 * message that never arrived was used up with it.
 */
function unsent(demand: Row, why: string, now: Micros): OutcomeChanges {
  if (isVaultFault(why)) return { ...notSent(demand, now), isUnaccepted: true };
  const mayComeBack = why === 'cvv_missing' && Number(demand.unsent_count) < CVV_MISSES_MAX;
  if (mayComeBack || !cardRefusals.includes(why as CardRefusal)) return notSent(demand, now);
  const isSpent = why !== 'unknown_token' && resentCount(demand) > 0;
  return {
    attempt: { trigger: 'drop', set: { due_at: null }, events: [] },
    demand: failedWith(isSpent ? 'processor_unreachable' : 'card_not_verified', now),
  };
}

const resentCount = ({ resent_count }: Row): number => Number(resent_count ?? 0);

/**
 * Whether the result is later than the merchant waits for approvals. If the sender died, it is
 * awaited since the sending.
 */
function isUnwanted(
  { unknown_since, created_at }: Row,
  { late_approvals }: FoundLate,
  now: Micros,
): boolean {
  const missing_since = unknown_since ?? created_at;
  if (late_approvals !== 'reverse' || !missing_since) return false;
  return now - microsOf(missing_since) >= seconds(LATE_APPROVAL_SECONDS);
}

/** Part of the amount pays for nothing. */
const partlyApproved = (attempt: Row, { approved }: PartlyApproved, now: Micros): OutcomeChanges =>
  reverseApproval(attempt, 'insufficient_funds', { approved_cents: String(approved) }, now);

/**
 * Reverses an approval that does not count, until the processor acknowledges that; then the payment
 * fails. During resolution, the attempt keeps its lease for the reversal.
 */
const reverseApproval = (
  attempt: Row,
  why: DeclineCode,
  seen: Row,
  now: Micros,
): OutcomeChanges => ({
  attempt: {
    trigger: 'reverse',
    set: {
      ...seen,
      decline_code: why,
      ...(isIn(attempt, 'sending') && { due_at: instantText(now) }),
    },
    events: [],
  },
  demand: { set: {}, events: [] },
});

function approved(demand: Row, result: Approval, now: Micros): OutcomeChanges {
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
    demand: withParties(
      demand,
      demand.capture_method === 'manual' ? held(demand, result, now) : taken(demand, result, now),
    ),
  };
}

/** Columns that an approval fills by default, and their sources. */
const PARTY_DEFAULTS = {
  buyer_id: 'payer_id',
  receiver_id: 'payer_id',
  shipping_address_id: 'billing_address_id',
} as const;

/** The same decision with all parties of the payment. Parties that the merchant named stay. */
function withParties(demand: Row, decision: Decision): Decision {
  const missing = Object.entries(PARTY_DEFAULTS).filter(([column]) => !demand[column]);
  const parties = missing.map(([column, source]) => [column, demand[source] ?? null]);
  return { ...decision, set: { ...decision.set, ...Object.fromEntries(parties) } };
}

type Approval = Extract<AuthoriseResult, { result: 'approved' }>;

function taken(demand: Row, result: Approval, now: Micros): Decision {
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

/** The hold is due when it expires: then it is released. */
function held({ amount_cents = null }: Row, result: Approval, now: Micros): Decision {
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
    events: ['updated'],
  };
}

function declined(
  result: Extract<AuthoriseResult, { result: 'declined' }>,
  now: Micros,
): OutcomeChanges {
  const failed = failedWith(result.code, now);
  return {
    attempt: { trigger: 'decline', set: { decline_code: result.code, due_at: null }, events: [] },
    demand: { ...failed, set: { ...failed.set, ...checksOf(result) } },
  };
}

const checksOf = (result: Extract<AuthoriseResult, { result: 'approved' | 'declined' }>): Row => ({
  cvc2_check: result.cvc2_check,
  address_line1_verification: result.address_line1_verification,
  postal_code_verification: result.postal_code_verification,
});

/**
 * An unknown attempt may still arrive. After its last possible departure and longest journey, it is
 * reversed, under the resolver's lease.
 */
function notFound(
  attempt: Row,
  demand: Row,
  { arrives_in_ms }: Extract<Finding, { result: 'not_found' }>,
  now: Micros,
): OutcomeChanges {
  if (arrives_in_ms > 0)
    return unknownOutcome(attempt, demand, now, Math.ceil(arrives_in_ms / 1000));
  const unknown_since = attempt.unknown_since ?? instantText(now);
  return {
    attempt: { trigger: 'reverse', set: { unknown_since }, events: [] },
    demand: { set: {}, events: [] },
  };
}

function reversed(attempt: Row, demand: Row, found: Reversed, now: Micros): OutcomeChanges {
  const decline_code = attempt.decline_code ?? found.declined ?? null;
  return {
    attempt: { trigger: 'undo', set: { decline_code, due_at: null }, events: [] },
    demand: afterReversal({ ...attempt, decline_code }, demand, found, now),
  };
}

function afterReversal(attempt: Row, demand: Row, found: Reversed, now: Micros): Decision {
  if (demand.cancellation_reason) return released(now);
  // A message without a deadline, from an earlier version, may have left.
  const neverLeft = !attempt.decline_code && !!attempt.not_after;
  if (neverLeft && isRecent(attempt, found, now) && resentCount(demand) < RESENT_MAX)
    return sentAgain(demand, now);
  return failedWith(reasonOf(attempt), now);
}

/**
 * Whether the payer may still wait for this payment, and its merchant for an approval. Nobody is
 * charged for an abandoned order.
 */
function isRecent({ created_at }: Row, { late_approvals }: Reversed, now: Micros): boolean {
  const limit_s = late_approvals === 'reverse' ? LATE_APPROVAL_SECONDS : UNSENT_MAX_SECONDS;
  return now - microsOf(created_at as string) < seconds(limit_s);
}

/** Nothing is or can be charged: the payment returns to its state before sending. */
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

/** Why an authorisation was reversed; without a recorded reason, it was never found. */
const reasonOf = ({ decline_code }: Row): DeclineCode =>
  (decline_code as DeclineCode | null | undefined) ?? 'processor_unreachable';

const released = (now: Micros): Decision => ({
  trigger: 'release',
  set: { ...finishedDemand, hold_expires_at: null, canceled_at: instantText(now) },
  events: ['updated'],
});
