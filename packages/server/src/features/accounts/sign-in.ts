import { type Clock, seconds } from '../../kernel/clock.ts';
import { createGate } from '../../kernel/gate.ts';
import { createLimit } from '../../kernel/limit.ts';
import { hashPassword, passwordMatches } from '../../kernel/password.ts';
import { createSigner } from '../../kernel/signer.ts';
import { findAccountByEmail, isActiveAccount } from '../../store/accounts.ts';
import type { Db } from '../../store/db.ts';

export const SESSION_SECONDS = 12 * 60 * 60;
/** Wrong passwords for one address before it has to wait. */
export const TRIES_MAX = 10;
const TRIES_WINDOW = seconds(15 * 60);
/** Hashing is made to be slow and large: more at once would starve the payments. */
const HASHES_MAX = 4;
const HASHES_WAITING_MAX = 100;

export interface SignIn {
  /**
   * A session for the account; undefined where address or password is wrong, or too many tries were.
   * Rejects with `OverloadedError` where too many sign in at once.
   */
  open(email: string, password: string): Promise<string | undefined>;
  /** The account of a session that was opened here and is not over, as long as the account is active. */
  accountOf(session: string): Promise<string | undefined>;
}

/** Sessions are signed, not stored: `<account>.<expiry>.<hmac>`. */
export function createSignIn({ db, clock, key }: { db: Db; clock: Clock; key: Buffer }): SignIn {
  const tries = createLimit({ clock, max: TRIES_MAX, window: TRIES_WINDOW });
  const hashing = createGate({ places: HASHES_MAX, queue_max: HASHES_WAITING_MAX });
  const decoy = hashPassword('nobody');
  const signer = createSigner(key);
  return {
    async open(email, password) {
      const address = email.toLowerCase();
      // Counted before it is looked at, so that guesses that are sent at once all count.
      if (!tries.take(address)) return undefined;
      const account = await findAccountByEmail(db, email);
      // An unknown address takes as long as a wrong password, so that the time tells nothing.
      const stored = account?.password_hash ?? (await decoy);
      const matches = await hashing(() => passwordMatches(password, stored));
      if (!account || !matches || account.account_status !== 'active') return undefined;
      tries.forget(address);
      const text = `${account.id}.${clock.now() + seconds(SESSION_SECONDS)}`;
      return `${text}.${signer.sign(text)}`;
    },
    async accountOf(session) {
      const [account = '', expires = '', signature = ''] = session.split('.');
      if (!signer.isSignatureOf(`${account}.${expires}`, signature)) return undefined;
      if (Number(expires) <= clock.now()) return undefined;
      return (await isActiveAccount(db, account)) ? account : undefined;
    },
  };
}
