import type { Limiter } from '../../../platform/concurrency/limiter.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';

/** Milliseconds until the first payment of a claim without a slot is due again. The others follow, one a millisecond. */
const WAIT_MS = 250;

/** Free slots of accounts, for the payments of one claim. */
export interface AccountSlots {
  /** Reserves the slot of one message. False if the account has as many messages in flight as it may. */
  take(account: string): boolean;
  /** When a payment without a slot is due again, later for each one. Claims then find payments of other accounts. */
  nextTurn(now: Micros): string;
  /** Ends all reservations of the claim. Messages take slots of their own as soon as they are sent. */
  release(): void;
}

/**
 * Slots that messages in flight leave to each account, up to `max`. Loops that share `inFlight` see the reservations of
 * each other's claims, so that an account never has more messages.
 */
export function createAccountSlots(inFlight: Limiter, max: number): AccountSlots {
  let reserved: string[] = [];
  let refused = 0;
  return {
    take(account) {
      if ((inFlight.used.get(account) ?? 0) >= max) return false;
      inFlight.take(account);
      reserved.push(account);
      return true;
    },
    nextTurn: (now) => instantText(now + seconds((WAIT_MS + refused++) / 1_000)),
    release() {
      for (const account of reserved) inFlight.release(account);
      reserved = [];
    },
  };
}
