import type { Limiter } from '../../platform/concurrency/limiter.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';

/** Milliseconds until the first payment of a claim without a slot is due again. The others follow, one a millisecond. */
const WAIT_MS = 250;

/** Free slots of accounts, for the payments of one claim. */
export interface AccountSlots {
  /** Takes the slot of one message. False if the account has as many messages in flight as it may. */
  take(account: string): boolean;
  /** When a payment without a slot is due again, later for each one. Claims then find payments of other accounts. */
  nextTurn(now: Micros): string;
}

/** Slots that messages in flight leave to each account, up to `max`. */
export function createAccountSlots({ used }: Pick<Limiter, 'used'>, max: number): AccountSlots {
  const taken = new Map<string, number>();
  let refused = 0;
  return {
    take(account) {
      const count = taken.get(account) ?? used.get(account) ?? 0;
      if (count >= max) return false;
      taken.set(account, count + 1);
      return true;
    },
    nextTurn: (now) => instantText(now + seconds((WAIT_MS + refused++) / 1_000)),
  };
}
