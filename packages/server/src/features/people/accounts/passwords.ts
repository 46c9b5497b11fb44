import { createGate } from '../../../platform/concurrency/gate.ts';
import type { Row } from '../../../platform/database/row.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import { findAccountByEmail } from '../sql/accounts.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { createSharedLimit, type TryBooks } from './shared-limit.ts';

/** Wrong passwords for one address from one network, or at one session, before it has to wait. */
export const TRIES_MAX = 10;
/** Passwords for one address from everywhere: few enough to guess none, and many enough that nobody locks a person out in passing. */
const ADDRESS_TRIES_MAX = 200;
/** Passwords that one network may try, right ones as well. */
export const NETWORK_TRIES_MAX = 100;
const TRIES_WINDOW_SECONDS = 15 * 60;
/** Hashing is made to be slow and large: more at once would starve the payments. */
const HASHES_MAX = 4;
const HASHES_WAITING_MAX = 100;

/** Who tries a password: somebody at a session is not kept from it by what others try. */
export interface Trying {
  readonly ip: string;
  readonly session_id?: string | undefined;
}

/** What a password that was typed is worth. */
export interface Guess {
  /** The active account whose password it is. */
  readonly account?: Row;
  /** The account whose password it is not. */
  readonly tried?: string | undefined;
}

export interface Passwords {
  /** Like `check`, and tells whose password was tried in vain; of what is beyond the limits nothing. */
  guess(email: string, password: string, trying: Trying): Promise<Guess>;
  /**
   * The active account of an address whose password this is; undefined where either is wrong, or there were too many
   * tries. Rejects with `OverloadedError` where too many are looked at at once.
   */
  check(email: string, password: string, trying: Trying): Promise<Row | undefined>;
  /** What is stored of a password. Rejects like `check`. */
  hash(password: string): Promise<string>;
}

export function createPasswords(books: TryBooks): Passwords {
  const tries = createTries(books);
  const hashing = createGate({ places: HASHES_MAX, queue_max: HASHES_WAITING_MAX });
  const decoy = hashPassword('nobody');
  async function guess(email: string, password: string, trying: Trying): Promise<Guess> {
    // Counted before it is looked at, so that guesses that are sent at once all count.
    if (!(await tries.take(email, trying))) return {};
    const account = await findAccountByEmail(books.db, email);
    // An unknown address takes as long as a wrong password, so that the time tells nothing.
    const stored = account?.password_hash ?? (await decoy);
    const matches = await hashing(() => passwordMatches(password, stored));
    if (!account?.password_hash || !matches || account.account_status !== 'active') {
      return { tried: account?.id as string | undefined };
    }
    await tries.forget(email, trying);
    return { account };
  }
  return {
    guess,
    check: async (...asked) => (await guess(...asked)).account,
    hash: (password) => hashing(() => hashPassword(password)),
  };
}

/** Counts guesses: those at a session by it alone, others by their network, their address, and both. */
function createTries(books: TryBooks) {
  const limitOf = (name: string, max: number) =>
    createSharedLimit(books, { name, max, window_seconds: TRIES_WINDOW_SECONDS });
  const few = limitOf('password', TRIES_MAX);
  const ofNetwork = limitOf('password of network', NETWORK_TRIES_MAX);
  const ofAddress = limitOf('password of address', ADDRESS_TRIES_MAX);
  const keyOf = (email: string, { ip, session_id }: Trying): string =>
    session_id ?? `${networkOf(ip)} ${email.toLowerCase()}`;
  return {
    /** One after the other: a network that has had its tries uses up nobody's. */
    async take(email: string, trying: Trying): Promise<boolean> {
      if (trying.session_id !== undefined) return few.take(trying.session_id);
      if (!(await ofNetwork.take(networkOf(trying.ip)))) return false;
      if (!(await few.take(keyOf(email, trying)))) return false;
      return ofAddress.take(email.toLowerCase());
    },
    forget: (email: string, trying: Trying): Promise<void> => few.forget(keyOf(email, trying)),
  };
}
