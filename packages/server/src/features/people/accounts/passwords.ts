import type { Config } from '../../../config/config.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';
import { findAccountByEmail } from '../sql/accounts.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { createSharedLimit, type LimitServices } from './shared-limit.ts';

/**
 * Maximum number of wrong passwords per window for one email address from one network, or in one
 * session.
 */
export const TRIES_MAX = 10;
/**
 * Maximum number of attempts per window for one email address from all networks. Too low to guess
 * a password, and too high to lock a person out easily.
 */
const ADDRESS_TRIES_MAX = 200;
/** Maximum number of attempts per window from one network, including right passwords. */
export const NETWORK_TRIES_MAX = 100;
const TRIES_WINDOW_SECONDS = 15 * 60;
/**
 * Limit of concurrent hashes. Hashes take much CPU and memory by design; more would starve
 * payments.
 */
const HASHES = { max: 4, waiting_max: 100 };

/** Source of a password attempt. Attempts in a session have a limit of their own. */
export interface AttemptSource {
  readonly ip: string;
  readonly session_id?: string | undefined;
}

export interface PasswordCheck {
  /** Active account with this password. */
  readonly account?: Row;
  /** Account whose password was wrong. */
  readonly triedAccountId?: string | undefined;
}

export interface Passwords {
  /** Like `check`; also names the account whose password was wrong. Empty beyond the limits. */
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
    if (!(await guessLimiter.take(email, source))) return {};
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
 * Counts attempts in a session per session, and other attempts per network, per address, and per
 * pair of both.
 */
function createGuessLimiter(services: LimitServices) {
  const limitOf = (name: string, max: number) =>
    createSharedLimit(services, { name, max, window_seconds: TRIES_WINDOW_SECONDS });
  const sourceLimit = limitOf('password', TRIES_MAX);
  const networkLimit = limitOf('password of network', NETWORK_TRIES_MAX);
  const addressLimit = limitOf('password of address', ADDRESS_TRIES_MAX);
  const keyOf = (email: string, { ip, session_id }: AttemptSource): string =>
    session_id ?? `${networkOf(ip)} ${email.toLowerCase()}`;
  return {
    /**
     * Counts in sequence, so that a network beyond its limit does not use up an address's limit.
     */
    async take(email: string, source: AttemptSource): Promise<boolean> {
      if (source.session_id !== undefined) return sourceLimit.take(source.session_id);
      if (!(await networkLimit.take(networkOf(source.ip)))) return false;
      if (!(await sourceLimit.take(keyOf(email, source)))) return false;
      return addressLimit.take(email.toLowerCase());
    },
    reset: (email: string, source: AttemptSource): Promise<void> =>
      sourceLimit.reset(keyOf(email, source)),
  };
}
