import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import { NETWORK, type Route } from '../../../processors/route.ts';
import { UNSENT_MAX_SECONDS } from '../../attempts/decide-outcome.ts';
import { type FallbackStep, nextCandidate, stepOf } from '../fallback/fallback.ts';
import type { AccountSlots } from './account-slots.ts';

/**
 * Seconds for which a payment waits for a slot of its account before that counts as a message that could not be sent. A
 * second account may then be asked.
 */
export const SLOT_WAIT_SECONDS_MAX = 5;

/** A payment whose account has no free slot. */
export interface SlotWait {
  readonly demand: Row;
  /** Id of the account without a free slot. */
  readonly account: string;
  /** Candidates that could send the payment, with the accounts that carry its authentication only. */
  readonly route: Pick<Route, 'candidates' | 'fallback'>;
}

/** Effect of a missing slot: the second account is asked, the payment waits with these columns, or it fails. */
export type SlotDecision =
  | { readonly second: string; readonly step: FallbackStep }
  | { readonly set: Row }
  | 'refuse';

/**
 * Decides about a payment without a slot. Nothing was sent, so the second account is asked as after `not_sent`. A
 * payment that another account declined fails after the wait; any other waits for 15 minutes at most.
 */
export function decideSlotWait(
  { demand, account, route }: SlotWait,
  slots: AccountSlots,
  now: Micros,
): SlotDecision {
  const unsent_since = demand.unsent_since ?? instantText(now);
  const due_at = slots.nextTurn(account, now);
  const waited = now - microsOf(unsent_since);
  if (waited < seconds(SLOT_WAIT_SECONDS_MAX)) return { set: { unsent_since, due_at } };
  const before = stepOf(demand);
  if (before?.result === 'declined') return 'refuse';
  const step: FallbackStep = {
    account,
    attempt: null,
    result: 'not_sent',
    why: 'no_free_slot',
  };
  const second = before ? undefined : nextCandidate(route, step);
  if (second && second !== account && hasSlot(second, slots)) return { second, step };
  if (waited >= seconds(UNSENT_MAX_SECONDS)) return 'refuse';
  return { set: { unsent_since, due_at, fallback_after: null } };
}

/** The simulated network has no account, and no limit of one. */
const hasSlot = (candidate: string, slots: AccountSlots): boolean =>
  candidate === NETWORK || slots.take(candidate);
