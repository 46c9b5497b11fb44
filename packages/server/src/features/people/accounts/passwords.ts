import type { Config } from '../../../config/config.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import { findAccountByEmail } from '../sql/accounts.ts';
import { createGuessLimit } from './guess-limit.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { createSharedLimit, type LimitServices } from './shared-limit.ts';

/** Maximum number of wrong passwords per window in one session. */
export const SESSION_TRIES_MAX = 10;
/**
 * Maximum number of attempts per window from one network, including right passwords. Known browsers do not count.
 */
export const NETWORK_TRIES_MAX = 100;
const TRIES_WINDOW_SECONDS = 15 * 60;
/**
 * Limit of concurrent hashes. Hashes take much CPU and memory by design; more would starve
 * payments.
 */
const HASHES = { max: 4, waiting_max: 100 };

/** Source of a password attempt. Attempts in a session and in a known browser have limits of their own. */
export interface AttemptSource {
  readonly ip: string;
  readonly session_id?: string | undefined;
  /** Id of a browser in which the person has signed in before. */
  readonly device_id?: string | undefined;
}

export interface PasswordCheck {
  /** Active account with this password. */
  readonly account?: Row;
  /** Account whose password was wrong. */
  readonly triedAccountId?: string | undefined;
  /** Whether the attempt was beyond the limits, and so was not checked. */
  readonly isLimited?: true;
}

export interface Passwords {
  /** Like `check`; also names the account whose password was wrong. Checks nothing beyond the limits. */
  guess(email: string, password: string, source: AttemptSource): Promise<PasswordCheck>;
  /**
   * Active account with this address and password; undefined if either is wrong, or beyond the
   * limits. Rejects with `OverloadedError` if too many checks run concurrently.
   */
  check(email: string, password: string, source: AttemptSource): Promise<Row | undefined>;
  /** Hashes a password for storage. Rejects like `check`. */
  hash(password: string): Promise<string>;
}

export interface PasswordServices extends LimitServices {
  readonly config: Pick<Config, 'password_cost'>;
}

export function createPasswords(services: PasswordServices): Passwords {
  const { password_cost } = services.config;
  const guessLimiter = createGuessLimiter(services);
  const hashLimiter = createLimiter({ total: HASHES });
  const decoy = hashPassword('nobody', password_cost);
  async function guessPassword(
    email: string,
    password: string,
    source: AttemptSource,
  ): Promise<PasswordCheck> {
    // Counts before the check, so that concurrent guesses all count.
    if (!(await guessLimiter.take(email, source))) return { isLimited: true };
    const account = await findAccountByEmail(services.db, email);
    // An unknown address is compared with a decoy hash, so that the response time reveals nothing.
    const hash = account?.password_hash ?? (await decoy);
    const matches = await hashLimiter.run(() => passwordMatches(password, hash, password_cost));
    if (!account?.password_hash || !matches || account.account_status !== 'active') {
      return { triedAccountId: account?.id as string | undefined };
    }
    await guessLimiter.reset(email, source);
    return { account };
  }
  return {
    guess: guessPassword,
    check: async (...attempt) => (await guessPassword(...attempt)).account,
    hash: (password) => hashLimiter.run(() => hashPassword(password, password_cost)),
  };
}

/**
 * Counts attempts in a session per session, those of a known browser per browser, and those of strangers per network
 * and per address. Strangers share the count of an address, so many networks get no more guesses than one.
 */
function createGuessLimiter(services: LimitServices) {
  const limitOf = (name: string, max: number) =>
    createSharedLimit(services, { name, max, window_seconds: TRIES_WINDOW_SECONDS });
  const sessionLimit = limitOf('password', SESSION_TRIES_MAX);
  const networkLimit = limitOf('password of network', NETWORK_TRIES_MAX);
  const guessLimit = createGuessLimit(services, 'password of account');
  const keyOf = (email: string, { device_id }: AttemptSource): string =>
    device_id ?? email.toLowerCase();
  return {
    /** Counts the network first, so that a network beyond its limit does not use up an address's limit. */
    async take(email: string, source: AttemptSource): Promise<boolean> {
      const { session_id, device_id, ip } = source;
      if (session_id !== undefined) return sessionLimit.take(session_id);
      if (device_id === undefined && !(await networkLimit.take(networkOf(ip)))) return false;
      return guessLimit.take(keyOf(email, source));
    },
    reset: (email: string, source: AttemptSource): Promise<void> =>
      source.session_id === undefined
        ? guessLimit.reset(keyOf(email, source))
        : sessionLimit.reset(source.session_id),
  };
}
