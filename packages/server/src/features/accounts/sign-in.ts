import type { Db } from '../../store/db.ts';
import { type Factor, factorsOf } from './factors.ts';
import type { Passwords } from './passwords.ts';
import type { Browser, Sessions } from './sessions.ts';

/** A session that was opened. While `awaits` names something, it is good for showing one of these alone. */
export interface Opened {
  readonly token: string;
  readonly awaits: readonly Factor[];
}

export interface SignInOptions {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
}

/** Opens a session by a password; undefined where address or password is wrong or was just changed, or too many tries were. */
export async function signIn(
  { db, passwords, sessions }: SignInOptions,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<Opened | undefined> {
  const account = await passwords.check(email, password, browser);
  if (!account) return undefined;
  const awaits = await factorsOf(db, account.id as string);
  const password_hash = account.password_hash as string;
  const options = { awaits_factor: awaits.length > 0, password_hash };
  const token = await sessions.open(account.id as string, browser, options);
  return token === undefined ? undefined : { token, awaits };
}
