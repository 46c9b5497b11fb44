import type { Limiter } from '../../../platform/concurrency/limiter.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';

/** Milliseconds until a payment without a slot is due again, if no other waits for the account. */
const WAIT_MS = 250;
/** Milliseconds between payments that wait for one account: a long queue would otherwise keep the database busy. */
const TURN_MS = 4;

const GROUP = seconds(WAIT_MS / 1_000);

/** Times at which payments that wait for accounts are due again. One per loop, for all of its claims. */
export interface Turns {
  /** The next free time of the account. */
  next(account: string, now: Micros): Micros;
}

export function createTurns(): Turns {
  const latest = new Map<string, Micros>();
  return {
    next(account, now) {
      const earliest = now + seconds(WAIT_MS / 1_000);
      const turn = Math.max(earliest, (latest.get(account) ?? 0) + seconds(TURN_MS / 1_000));
      latest.set(account, turn);
      // Turns come in groups, since a claim costs more than the payments in it.
      return Math.ceil(turn / GROUP) * GROUP;
    },
  };
}

/** Free slots of accounts, for the payments of one claim. */
export interface AccountSlots {
  /** Reserves the slot of one message. False if the account has as many messages in flight as it may. */
  take(account: string): boolean;
  /** When a payment without a slot is due again, later for each one. Claims then find payments of other accounts. */
  nextTurn(account: string, now: Micros): string;
  /** Ends all reservations of the claim. Messages take slots of their own as soon as they are sent. */
  release(): void;
}

/**
 * Slots that messages in flight leave to each account, up to `max`. Loops that share `inFlight` see the reservations of
 * each other's claims, so that an account never has more messages.
 */
export function createAccountSlots(
  inFlight: Limiter,
  max: number,
  turns: Turns = createTurns(),
): AccountSlots {
  let reserved: string[] = [];
  return {
    take(account) {
      if ((inFlight.used.get(account) ?? 0) >= max) return false;
      inFlight.take(account);
      reserved.push(account);
      return true;
    },
    nextTurn: (account, now) => instantText(turns.next(account, now)),
    release() {
      for (const account of reserved) inFlight.release(account);
      reserved = [];
    },
  };
}
