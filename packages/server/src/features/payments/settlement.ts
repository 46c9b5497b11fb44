import { type RelayDeadEnd, relayDeadEnds } from '@florin/contract/protocol/vault.ts';
import { instantText, type Micros, microsOf, seconds } from '../../kernel/clock.ts';
import type { AuthoriseResult } from '../../processors/processor.ts';
import type { Row } from '../../store/row.ts';
import {
  failedWith,
  isIn,
  lost,
  notSent,
  type Settlement,
  settledDemand,
} from '../attempts/settlement.ts';
import { withoutUsedProof } from './columns.ts';

/** What the resolver learned about an attempt whose answer is missing. */
type Finding =
  /** The processor does not know it, though it may be under way for `arrival_ms_max` milliseconds more. */
  | { readonly result: 'not_found'; readonly arrival_ms_max: number }
  /** It could not be found out, or it could not be reversed; to be tried again. */
  | { readonly result: 'unresolved'; readonly why: string }
  /** It was undone at the processor, where it will be refused should it still arrive. */
  | { readonly result: 'reversed' };

/** What is to be recorded of an attempt: the processor's answer, or a finding of the resolver. */
export type AttemptResult = AuthoriseResult | Finding;

/**
 * Decides what an answer or a finding means. Undefined where it changes nothing: the first answer stands,
 * and once a reversal is recorded only its own outcome counts.
 */
export function decideSettlement(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): Settlement | undefined {
  const settlement = settlementOf(attempt, demand, result, now);
  if (settlement?.demand.trigger !== 'decline') return settlement;
  const set = { ...settlement.demand.set, ...withoutUsedProof(demand) };
  return { ...settlement, demand: { ...settlement.demand, set } };
}

function settlementOf(
  attempt: Row,
  demand: Row,
  result: AttemptResult,
  now: Micros,
): Settlement | undefined {
  if (demand.status !== 'processing') return undefined;
  switch (result.result) {
    case 'approved':
      return isIn(attempt, 'sending', 'unknown') ? approved(result, now) : undefined;
    case 'declined':
      return isIn(attempt, 'sending', 'unknown') ? declined(result, now) : undefined;
    case 'not_found':
      return isIn(attempt, 'sending', 'unknown')
        ? notFound(attempt, demand, result, now)
        : undefined;
    case 'unresolved':
      return isIn(attempt, 'sending', 'unknown', 'reversing')
        ? lost(attempt, demand, now)
        : undefined;
    case 'reversed':
      return isIn(attempt, 'reversing') ? reversed(now) : undefined;
    case 'not_sent':
      return isIn(attempt, 'sending') ? unsent(demand, result.why, now) : undefined;
    default:
      return isIn(attempt, 'sending') ? lost(attempt, demand, now) : undefined;
  }
}

/** Sending it again would change nothing where the vault has no such card, or no such cryptogram, any more. */
const unsent = (demand: Row, why: string, now: Micros): Settlement =>
  relayDeadEnds.includes(why as RelayDeadEnd)
    ? {
        attempt: { trigger: 'drop', set: { due_at: null }, events: [] },
        demand: failedWith('card_not_verified', now),
      }
    : notSent(demand, now);

function approved(
  result: Extract<AuthoriseResult, { result: 'approved' }>,
  now: Micros,
): Settlement {
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
    demand: {
      trigger: 'approve',
      set: {
        ...settledDemand,
        ...checksOf(result),
        succeeded_at: instantText(now),
        failure_reason: null,
      },
      events: ['succeeded'],
    },
  };
}

function declined(
  result: Extract<AuthoriseResult, { result: 'declined' }>,
  now: Micros,
): Settlement {
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
 * An attempt that the processor does not know may still be on its way. Once its longest delay has passed
 * since it was first missed, which is never before its sender's lease ended, it is to be reversed. The
 * lease of the resolver that asks stays as it is, for it to send the reversal in.
 */
function notFound(
  attempt: Row,
  demand: Row,
  { arrival_ms_max }: Extract<Finding, { result: 'not_found' }>,
  now: Micros,
): Settlement {
  const { unknown_since } = attempt;
  const arrived = unknown_since && now - microsOf(unknown_since) >= seconds(arrival_ms_max / 1000);
  if (!arrived) return lost(attempt, demand, now);
  return {
    attempt: { trigger: 'reverse', set: {}, events: [] },
    demand: { set: {}, events: [] },
  };
}

const reversed = (now: Micros): Settlement => ({
  attempt: { trigger: 'undo', set: { due_at: null }, events: [] },
  demand: failedWith('processor_unreachable', now),
});
