import type { Db } from '../../../platform/database/db.ts';
import { type Factor, factorsOf } from './factors.ts';
import type { AttemptSource, Passwords } from './passwords.ts';
import type { Browser, Sessions } from './sessions.ts';

/** An opened session. While `awaitedFactors` lists factors, the session accepts only a second factor. */
export interface OpenedSession {
  readonly token: string;
  readonly awaitedFactors: readonly Factor[];
}

export interface SignInOptions {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  /** Runs after the password was right and before the session opens. */
  readonly begin: (account_id: string) => Promise<void>;
}

export interface SignInResult {
  /**
   * Undefined if the address or password is wrong or was just changed, or if there were too many
   * attempts.
   */
  readonly openedSession?: OpenedSession | undefined;
  /** Account whose password was wrong. */
  readonly triedAccountId?: string | undefined;
  readonly isLimited?: true | undefined;
}

/** Opens a session with a password. */
export async function signIn(
  { db, passwords, sessions, begin }: SignInOptions,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser & Pick<AttemptSource, 'device_id'>,
): Promise<SignInResult> {
  const { account, ...refusal } = await passwords.guess(email, password, browser);
  if (!account) return refusal;
  const account_id = account.id as string;
  await begin(account_id);
  const requiredFactors = await factorsOf(db, account_id);
  const password_hash = account.password_hash as string;
  const options = { awaits_factor: requiredFactors.length > 0, password_hash };
  const token = await sessions.open(account_id, browser, options);
  return token === undefined ? {} : { openedSession: { token, awaitedFactors: requiredFactors } };
}
