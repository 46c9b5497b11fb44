import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import { type CardRefusal, cardRefusals, isVaultFault } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import {
  failureDecision,
  type OutcomeChanges,
  unsentChanges,
} from '../../attempts/decide-outcome.ts';
import { BY_WALLET } from '../columns.ts';
import { decideFallback, isAccountFault, stepOf } from './fallback.ts';

/**
 * Number of `cvv_missing` results after which a payment is still sent again. A slow vault may
 * restore the value too late for one message.
 */
export const CVV_MISSES_MAX = 1;

/**
 * Effect of a message that was not sent. The payment fails if the vault no longer has its card or
 * cryptogram; an earlier message may have used the cryptogram up.
 */
export function onUnsent(attempt: Row, demand: Row, reason: string, now: Micros): OutcomeChanges {
  if (isVaultFault(reason)) return { ...unsentChanges(demand, now), isUnaccepted: true };
  const mayComeBack = reason === 'cvv_missing' && Number(demand.unsent_count) < CVV_MISSES_MAX;
  if (mayComeBack || !isAccountFault(reason)) return unsentChanges(demand, now);
  if (!cardRefusals.includes(reason as CardRefusal))
    return unsentByAccount(attempt, demand, reason, now);
  const wasResent = reason !== 'unknown_token' && resentCount(demand) > 0;
  return {
    attempt: { trigger: 'drop', set: { due_at: null }, events: [] },
    demand: failureDecision(wasResent ? 'processor_unreachable' : codeOf(reason, demand), now),
  };
}

/** A wallet's payer pays again with the wallet. A merchant needs a new cryptogram for a network token. */
const codeOf = (reason: string, { threeds_status }: Row): DeclineCode =>
  reason === 'cryptogram_missing' && threeds_status !== BY_WALLET
    ? 'cryptogram_missing'
    : 'card_not_verified';

/**
 * Effect of a message that an account could not send. The second account is asked at once; if neither can be reached,
 * the payment waits and begins with the first again. A payment that another account declined does not wait.
 */
function unsentByAccount(attempt: Row, demand: Row, why: string, now: Micros): OutcomeChanges {
  const step = decideFallback(attempt, demand, { result: 'not_sent', why }, now);
  const changes = unsentChanges(demand, now);
  if (changes.demand.trigger !== 'requeue') return changes;
  if (stepOf(demand)?.result === 'declined')
    return { ...changes, demand: failureDecision('processor_unreachable', now) };
  const set = step
    ? { ...changes.demand.set, fallback_after: JSON.stringify(step), due_at: instantText(now) }
    : { ...changes.demand.set, fallback_after: null };
  return { ...changes, demand: { ...changes.demand, set } };
}

/** Number of messages since the confirmation that never arrived. */
export const resentCount = ({ resent_count }: Row): number => Number(resent_count ?? 0);
