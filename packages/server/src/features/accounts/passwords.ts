import type { Clock } from '../../kernel/clock.ts';
import { seconds } from '../../kernel/clock.ts';
import { createGate } from '../../kernel/gate.ts';
import { createLimit } from '../../kernel/limit.ts';
import { networkOf } from '../../kernel/network-of.ts';
import { hashPassword, passwordMatches } from '../../kernel/password.ts';
import { findAccountByEmail } from '../../store/accounts.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';

/** Wrong passwords for one address from one network, or at one session, before it has to wait. */
export const TRIES_MAX = 10;
/** Passwords for one address from everywhere: few enough to guess none, and many enough that nobody locks a person out in passing. */
const ADDRESS_TRIES_MAX = 200;
/** Passwords that one network may try, right ones as well. */
export const NETWORK_TRIES_MAX = 100;
const TRIES_WINDOW = seconds(15 * 60);
/** Hashing is made to be slow and large: more at once would starve the payments. */
const HASHES_MAX = 4;
const HASHES_WAITING_MAX = 100;

/** Who tries a password: somebody at a session is not kept from it by what others try. */
export interface Trying {
  readonly ip: string;
  readonly session_id?: string | undefined;
}

export interface Passwords {
  /**
   * The active account of an address whose password this is; undefined where either is wrong, or there were too many
   * tries. Rejects with `OverloadedError` where too many are looked at at once.
   */
  check(email: string, password: string, trying: Trying): Promise<Row | undefined>;
  /** What is stored of a password. Rejects like `check`. */
  hash(password: string): Promise<string>;
}

export function createPasswords({ db, clock }: { db: Db; clock: Clock }): Passwords {
  const tries = createTries(clock);
  const hashing = createGate({ places: HASHES_MAX, queue_max: HASHES_WAITING_MAX });
  const decoy = hashPassword('nobody');
  return {
    async check(email, password, trying) {
      // Counted before it is looked at, so that guesses that are sent at once all count.
      if (!tries.take(email, trying)) return undefined;
      const account = await findAccountByEmail(db, email);
      // An unknown address takes as long as a wrong password, so that the time tells nothing.
      const stored = account?.password_hash ?? (await decoy);
      const matches = await hashing(() => passwordMatches(password, stored));
      if (!account?.password_hash || !matches || account.account_status !== 'active') {
        return undefined;
      }
      tries.forget(email, trying);
      return account;
    },
    hash: (password) => hashing(() => hashPassword(password)),
  };
}

/** Counts guesses: those at a session by it alone, others by their network, their address, and both. */
function createTries(clock: Clock) {
  const limitOf = (max: number) => createLimit({ clock, max, window: TRIES_WINDOW });
  const few = limitOf(TRIES_MAX);
  const ofNetwork = limitOf(NETWORK_TRIES_MAX);
  const ofAddress = limitOf(ADDRESS_TRIES_MAX);
  const keyOf = (email: string, { ip, session_id }: Trying): string =>
    session_id ?? `${networkOf(ip)} ${email.toLowerCase()}`;
  return {
    take(email: string, trying: Trying): boolean {
      if (trying.session_id !== undefined) return few.take(trying.session_id);
      if (!ofNetwork.take(networkOf(trying.ip)) || !few.take(keyOf(email, trying))) return false;
      return ofAddress.take(email.toLowerCase());
    },
    forget: (email: string, trying: Trying): void => few.forget(keyOf(email, trying)),
  };
}
