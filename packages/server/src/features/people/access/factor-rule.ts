import { problem } from '@florin/contract/errors.ts';
import { type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import type { Account } from '../sql/sessions.ts';

/** Days for which a new member keeps live permissions without a second factor. Migration 100 gives older accounts as many. */
export const FACTOR_GRACE_DAYS = 14;
const DAY_SECONDS = 24 * 60 * 60;

type FactorState = Pick<Account, 'lacks_factor' | 'factor_grace_until'>;

/** Time from which live permissions need a second factor; undefined if the account needs none, or has one. */
export function factorDueAt(
  { lacks_factor, factor_grace_until }: FactorState,
  accepted_at: string,
): Micros | undefined {
  if (!lacks_factor) return undefined;
  const afterJoining = microsOf(accepted_at) + seconds(FACTOR_GRACE_DAYS * DAY_SECONDS);
  return factor_grace_until === null
    ? afterJoining
    : Math.max(afterJoining, microsOf(factor_grace_until));
}

/** Whether live permissions of a membership wait for a second factor. */
export function awaitsFactor(account: FactorState, accepted_at: string, now: Micros): boolean {
  const due = factorDueAt(account, accepted_at);
  return due !== undefined && due <= now;
}

/** The 403 for a member whose live permissions wait for a second factor. */
export const liveFactorNeeded = () =>
  problem(
    'forbidden',
    'Live mode needs a second factor. Set up an authenticator or a passkey under Account.',
  );
