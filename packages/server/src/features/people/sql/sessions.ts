import type { Db } from '../../../platform/database/db.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';

/** A person's session in one browser. Instants are UTC texts in PostgreSQL's format. */
export interface Session {
  readonly id: string;
  readonly account_id: string;
  /** End of the time in which sensitive actions need no new sign-in. */
  readonly fresh_until: string;
  readonly seen_at: string;
  readonly expires_at: string;
}

/** Columns of a session's account that decide its rights. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly operator: boolean;
  /** Whether the account is an operator whose rights wait for a second factor. */
  readonly needs_factor: boolean;
  /** Whether a second factor is required and none is set up. */
  readonly lacks_factor: boolean;
  /** End of the grace period of accounts older than the requirement. */
  readonly factor_grace_until: string | null;
  readonly email_verified: boolean;
  /** Whether an authenticator is active. */
  readonly totp: boolean;
  /** Whether the account has a passkey. */
  readonly passkeys: boolean;
}

/** An open session with its active account. */
export interface SignedInPerson {
  readonly session: Session;
  readonly account: Account;
}

export interface NewSession {
  readonly id: string;
  readonly account_id: string;
  readonly token_hash: string;
  readonly awaits_factor: boolean;
  readonly at: string;
  readonly fresh_until: string;
  readonly expires_at: string;
  readonly ip: string;
  readonly user_agent: string;
  /** Hash that the password was compared with; undefined for a sign-in without a password. */
  readonly password_hash?: string | undefined;
}

/**
 * Stores a session. Returns false if the account is inactive or its password has changed. Locks the
 * account, so that a concurrent password change ends this session too.
 */
export async function insertSession(db: Db, session: NewSession): Promise<boolean> {
  const { id, account_id, token_hash, awaits_factor, at, ...rest } = session;
  const rows = await db.query(
    `insert into sessions (id, account_id, token_hash, awaits_factor, created_at, seen_at,
       fresh_until, expires_at, ip, user_agent)
     select $1, a.id, decode($3, 'hex'), $4, $5::timestamptz, $5::timestamptz, $6, $7, $8, $9
     from accounts a where a.id = $2 and a.account_status = 'active'
       and ($10::text is null or a.password_hash = $10) for share
     returning id`,
    [
      id,
      account_id,
      token_hash,
      awaits_factor,
      at,
      rest.fresh_until,
      rest.expires_at,
      rest.ip,
      rest.user_agent,
      rest.password_hash ?? null,
    ],
    'insert_session',
  );
  return rows.length > 0;
}

export interface SessionLookup {
  /** SHA-256 of the token in hex. */
  readonly token_hash: string;
  readonly now: string;
  /** Sessions without use since this instant have ended. */
  readonly seen_after: string;
  /** Whether the session waits for a second factor. */
  readonly awaits_factor: boolean;
}

/** Finds the person of a token; undefined if the session has ended or the account is inactive. */
export async function findPerson(
  db: Db,
  lookup: SessionLookup,
): Promise<SignedInPerson | undefined> {
  const [row] = await db.query(
    `select s.id, s.account_id, s.fresh_until, s.seen_at, s.expires_at,
       a.email, a.name, a.operator, a.email_verified_at, a.totp_confirmed_at,
       a.factor_grace_until,
       exists (select 1 from passkeys p where p.account_id = a.id) as passkeys
     from sessions s join accounts a on a.id = s.account_id
     where s.token_hash = decode($1, 'hex') and s.ended_at is null and s.expires_at > $2
       and s.seen_at > $3 and s.awaits_factor = $4 and a.account_status = 'active'`,
    [lookup.token_hash, lookup.now, lookup.seen_after, lookup.awaits_factor],
    'find_person',
  );
  return row && personOf(row);
}

const personOf = (row: Row): SignedInPerson => ({
  session: {
    id: row.id as string,
    account_id: row.account_id as string,
    fresh_until: row.fresh_until as string,
    seen_at: row.seen_at as string,
    expires_at: row.expires_at as string,
  },
  account: {
    id: row.account_id as string,
    email: row.email as string,
    name: row.name ?? null,
    operator: isTrue(row.operator),
    needs_factor: false,
    lacks_factor: false,
    factor_grace_until: row.factor_grace_until ?? null,
    email_verified: row.email_verified_at != null,
    totp: row.totp_confirmed_at != null,
    passkeys: isTrue(row.passkeys),
  },
});

/** Records the time of a session's last use. */
export async function touchSession(db: Db, id: string, at: string): Promise<void> {
  await db.query('update sessions set seen_at = $2 where id = $1', [id, at], 'touch_session');
}

/**
 * Replaces a session's token; the old token becomes invalid. Returns whether the session was still
 * open.
 */
export async function renewSession(
  db: Db,
  id: string,
  change: { readonly token_hash: string; readonly fresh_until: string },
): Promise<boolean> {
  const rows = await db.query(
    `update sessions set token_hash = decode($2, 'hex'), fresh_until = $3
     where id = $1 and ended_at is null returning id`,
    [id, change.token_hash, change.fresh_until],
    'renew_session',
  );
  return rows.length > 0;
}

/** Ends a session of an account. Returns whether it was open. */
export async function endSession(
  db: Db,
  { id, account_id, at }: { readonly id: string; readonly account_id: string; readonly at: string },
): Promise<boolean> {
  const rows = await db.query(
    `update sessions set ended_at = $3 where id = $1 and account_id = $2 and ended_at is null
     returning id`,
    [id, account_id, at],
    'end_session',
  );
  return rows.length > 0;
}

/** Ends all sessions of an account except the named one. Returns the number of ended sessions. */
export async function endSessions(
  db: Db,
  {
    account_id,
    except_id,
    at,
  }: { readonly account_id: string; readonly except_id?: string; readonly at: string },
): Promise<number> {
  const rows = await db.query(
    `update sessions set ended_at = $3
     where account_id = $1 and ended_at is null and id is distinct from $2::uuid returning id`,
    [account_id, except_id ?? null, at],
    'end_sessions',
  );
  return rows.length;
}

/** Open sessions of an account, last used first, at most `limit`. */
export const listSessions = (
  db: Db,
  query: {
    readonly account_id: string;
    readonly now: string;
    readonly seen_after: string;
    readonly limit: number;
  },
): Promise<Row[]> =>
  db.query(
    `select id, created_at, seen_at, ip, user_agent from sessions
     where account_id = $1 and ended_at is null and expires_at > $2 and seen_at > $3
       and not awaits_factor
     order by seen_at desc limit $4`,
    [query.account_id, query.now, query.seen_after, query.limit],
    'list_sessions',
  );
