import { createLru } from '@florin/contract/lru.ts';
import type { Database, Db } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import {
  type Clock,
  instantText,
  type Micros,
  microsOf,
  seconds,
} from '../../../platform/time/clock.ts';
import { hashKey } from '../../merchants/api-key.ts';
import {
  endSession,
  endSessions,
  findPerson,
  insertSession,
  type NewSession,
  renewSession,
  type Session,
  type SignedInPerson,
  touchSession,
} from '../sql/sessions.ts';
import { looksLikeToken, makeToken } from './token.ts';

/** Seconds without use after which a session ends (PCI DSS 4.0.1, 8.2.8). */
export const IDLE_SECONDS = 15 * 60;
/** The same for development. */
export const DEVELOPMENT_IDLE_SECONDS = 12 * 60 * 60;
/** Longest life of a session in seconds, regardless of use. */
export const LIFE_SECONDS = 7 * 24 * 60 * 60;
/** Seconds after a sign-in in which sensitive actions need no new sign-in. */
export const FRESH_SECONDS = 10 * 60;
/** Seconds to show the second factor. */
export const FACTOR_SECONDS = 10 * 60;
/** Seconds between stored updates of a session's last use. The limit of idle time counts from a stored one. */
const TOUCH_SECONDS = 30;
const USER_AGENT_MAX = 300;
/** Maximum number of cached tokens that were valid. */
const SEEN_MAX = 10_000;

export interface Browser {
  readonly ip: string;
  readonly user_agent: string;
}

export interface SessionInput {
  readonly awaits_factor?: boolean;
  /** Hash that the password was compared with. */
  readonly password_hash?: string | undefined;
  /**
   * Open session that the new one replaces: the session that waits for this sign-in, or the
   * browser's previous session.
   */
  readonly replaces?: Pick<Session, 'id' | 'account_id'> | undefined;
}

/** Sessions of all accounts. Each has a random token; the database stores its hash. */
export interface Sessions {
  /**
   * Opens a session and returns its token; undefined if the account, its password or the previous
   * session has changed. With `awaits_factor`, only `findAwaiting` finds the session.
   */
  open(account_id: string, browser: Browser, options?: SessionInput): Promise<string | undefined>;
  /**
   * Finds the person of a token; undefined if invalid. Each call reads the database, so that ended
   * sessions stop working immediately. `isUse`: whether the request counts as use of the session.
   */
  findPerson(token: string, isUse?: boolean): Promise<SignedInPerson | undefined>;
  /** Seconds without use after which a session ends. */
  readonly idle_seconds: number;
  /** Whether the token was valid when this process last saw it. A known token is no guess. */
  isKnownToken(token: string): boolean;
  /** Finds the person whose session waits for a second factor. */
  findAwaiting(token: string): Promise<SignedInPerson | undefined>;
  /**
   * Marks a session as recently authenticated and returns its new token. Undefined if the session
   * has ended.
   */
  renew(session: Session, tx?: Db): Promise<string | undefined>;
  /** Whether the person authenticated recently. */
  isFresh(session: Session): boolean;
  end(session: Pick<Session, 'id' | 'account_id'>): Promise<boolean>;
  /** Ends the account's other sessions. Returns their number. */
  endOthers(session: Pick<Session, 'id' | 'account_id'>): Promise<number>;
  /** Ends all sessions of an account except `except_id`, in the transaction of a change. */
  endAll(tx: Db, account_id: string, except_id?: string): Promise<number>;
}

/** Whether the person of a session authenticated recently. */
export const isFreshAt = ({ fresh_until }: Pick<Session, 'fresh_until'>, now: Micros): boolean =>
  microsOf(fresh_until) > now;

/**
 * Marks an account without a second factor, and withholds an operator's rights. Live permissions follow from the mark
 * (`factorDueAt`).
 */
export const withFactorRule = ({ account, ...person }: SignedInPerson): SignedInPerson => ({
  ...person,
  account:
    account.totp || account.passkeys
      ? account
      : { ...account, lacks_factor: true, operator: false, needs_factor: account.operator },
});

export interface SessionsOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether rights need a second factor, and idle sessions end soon; absent: no. */
  readonly is_strict?: boolean;
}

export function createSessions({ db, clock, is_strict }: SessionsOptions): Sessions {
  const idle_seconds = is_strict ? IDLE_SECONDS : DEVELOPMENT_IDLE_SECONDS;
  const text = (ahead_seconds = 0): string => instantText(clock.now() + seconds(ahead_seconds));
  const findByToken = async (
    token: string,
    awaits_factor: boolean,
  ): Promise<SignedInPerson | undefined> => {
    if (!looksLikeToken(token)) return undefined;
    const lookup = { token_hash: hashKey(token), now: text(), awaits_factor };
    const person = await findPerson(db, { ...lookup, seen_after: text(-idle_seconds) });
    return person && is_strict ? withFactorRule(person) : person;
  };
  const seenTokens = createLru<true>(SEEN_MAX);
  return {
    idle_seconds,
    isKnownToken: (token) => seenTokens.get(hashKey(token)) !== undefined,
    async open(account_id, { ip, user_agent }, input = {}) {
      const { awaits_factor = false, password_hash, replaces } = input;
      const token = makeToken();
      const session = {
        id: uuidv7(clock.now()),
        account_id,
        token_hash: hashKey(token),
        awaits_factor,
        password_hash,
        at: text(),
        fresh_until: text(FRESH_SECONDS),
        expires_at: text(awaits_factor ? FACTOR_SECONDS : LIFE_SECONDS),
        ip,
        user_agent: user_agent.slice(0, USER_AGENT_MAX),
      };
      return (await openAfter(db, session, replaces)) ? token : undefined;
    },
    async findPerson(token, isUse = true) {
      const person = await findByToken(token, false);
      if (person) seenTokens.set(hashKey(token), true);
      else seenTokens.delete(hashKey(token));
      if (person && isUse && isOld(person.session, clock.now())) {
        await touchSession(db, person.session.id, text());
      }
      return person;
    },
    findAwaiting: (token) => findByToken(token, true),
    async renew({ id }, tx = db) {
      const token = makeToken();
      const change = { token_hash: hashKey(token), fresh_until: text(FRESH_SECONDS) };
      return (await renewSession(tx, id, change)) ? token : undefined;
    },
    isFresh: (session) => isFreshAt(session, clock.now()),
    end: ({ id, account_id }) => endSession(db, { id, account_id, at: text() }),
    endOthers: ({ id, account_id }) => endSessions(db, { account_id, except_id: id, at: text() }),
    endAll: (tx, account_id, except_id) =>
      endSessions(tx, { account_id, ...(except_id && { except_id }), at: text() }),
  };
}

/** Whether the stored time of a session's last use is too old. */
const isOld = ({ seen_at }: Session, now: Micros): boolean =>
  microsOf(seen_at) + seconds(TOUCH_SECONDS) < now;

/**
 * Opens a session and ends the session that it replaces. Locks the account first, as password
 * changes do, so that the two run in sequence.
 */
function openAfter(
  db: Database,
  session: NewSession,
  replacedSession: Pick<Session, 'id' | 'account_id'> | undefined,
): Promise<boolean> {
  if (!replacedSession) return insertSession(db, session);
  return db
    .transaction(async (tx) => {
      if (!(await insertSession(tx, session))) throw new SessionEndedError();
      if (!(await endSession(tx, { ...replacedSession, at: session.at })))
        throw new SessionEndedError();
      return true;
    })
    .catch((error) => {
      if (error instanceof SessionEndedError) return false;
      throw error;
    });
}

class SessionEndedError extends Error {}
