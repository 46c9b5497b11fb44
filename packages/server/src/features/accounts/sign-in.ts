import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, type Micros, seconds } from '../../kernel/clock.ts';
import { hashPassword, passwordMatches } from '../../kernel/password.ts';
import { findAccountByEmail } from '../../store/accounts.ts';
import type { Db } from '../../store/db.ts';

export const SESSION_SECONDS = 12 * 60 * 60;
/** Wrong passwords for one address before it has to wait. */
const TRIES_MAX = 10;
const TRIES_WINDOW = seconds(15 * 60);
const ADDRESSES_MAX = 10_000;

export interface SignIn {
  /** A session for the account; undefined where address or password is wrong, or too many tries were. */
  open(email: string, password: string): Promise<string | undefined>;
  /** The account of a session that was opened here and is not over. */
  accountOf(session: string): string | undefined;
}

/** Sessions are signed, not stored: `<account> <expiry> <hmac>`. */
export function createSignIn({ db, clock, key }: { db: Db; clock: Clock; key: Buffer }): SignIn {
  const tries = createTries(clock);
  const decoy = hashPassword('nobody');
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    async open(email, password) {
      if (!tries.allowed(email)) return undefined;
      const account = await findAccountByEmail(db, email);
      // An unknown address takes as long as a wrong password, so that the time tells nothing.
      const matches = await passwordMatches(password, account?.password_hash ?? (await decoy));
      if (!account || !matches || account.account_status !== 'active') {
        tries.failed(email);
        return undefined;
      }
      const text = `${account.id}.${clock.now() + seconds(SESSION_SECONDS)}`;
      return `${text}.${sign(text)}`;
    },
    accountOf(session) {
      const [account = '', expires = '', mac = ''] = session.split('.');
      const expected = Buffer.from(sign(`${account}.${expires}`));
      const given = Buffer.from(mac);
      const genuine = given.length === expected.length && timingSafeEqual(given, expected);
      return genuine && Number(expires) > clock.now() ? account : undefined;
    },
  };
}

/** Counts wrong passwords per address in this process. */
function createTries(clock: Clock) {
  const failures = new Map<string, { count: number; until: Micros }>();
  return {
    allowed(email: string): boolean {
      const seen = failures.get(email.toLowerCase());
      return !seen || seen.until < clock.now() || seen.count < TRIES_MAX;
    },
    failed(email: string): void {
      if (failures.size >= ADDRESSES_MAX) failures.clear();
      const seen = failures.get(email.toLowerCase());
      const running = seen && seen.until >= clock.now() ? seen.count : 0;
      failures.set(email.toLowerCase(), { count: running + 1, until: clock.now() + TRIES_WINDOW });
    },
  };
}
