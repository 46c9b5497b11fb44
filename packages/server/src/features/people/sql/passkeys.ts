import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

export interface NewPasskey {
  readonly id: string;
  readonly account_id: string;
  readonly credential_id: string;
  /** Public key in hex. */
  readonly public_key: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly at: string;
}

export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<void> {
  const { id, account_id, credential_id, public_key, counter, transports, name, at } = passkey;
  await db.query(
    `insert into passkeys
       (id, account_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8)`,
    [id, account_id, credential_id, public_key, counter, JSON.stringify(transports), name, at],
    'insert_passkey',
  );
}

/** Passkeys of an account, oldest first. */
export const listPasskeys = (db: Db, account_id: string): Promise<Row[]> =>
  db.query(
    `select id, credential_id, transports, name, used_at, created_at from passkeys
     where account_id = $1 order by created_at, id`,
    [account_id],
    'list_passkeys',
  );

/** Finds a passkey of an active account by its credential id. The public key is in hex. */
export async function findPasskey(db: Db, credential_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select p.id, p.account_id, p.counter, p.transports, encode(p.public_key, 'hex') as public_key
     from passkeys p join accounts a on a.id = p.account_id
     where p.credential_id = $1 and a.account_status = 'active'`,
    [credential_id],
    'find_passkey',
  );
  return row;
}

/** Records a use of a passkey, with the authenticator's counter if it has one. */
export async function notePasskeyUse(
  db: Db,
  id: string,
  { counter, at }: { readonly counter: number; readonly at: string },
): Promise<void> {
  await db.query(
    'update passkeys set counter = $2, used_at = $3 where id = $1',
    [id, counter, at],
    'note_passkey_use',
  );
}

/** Renames a passkey. Returns false if the account does not have it. */
export async function renamePasskey(
  db: Db,
  {
    id,
    account_id,
    name,
  }: { readonly id: string; readonly account_id: string; readonly name: string },
): Promise<boolean> {
  const rows = await db.query(
    'update passkeys set name = $3 where id = $1 and account_id = $2 returning id',
    [id, account_id, name],
    'rename_passkey',
  );
  return rows.length > 0;
}

export async function removePasskey(db: Db, id: string, account_id: string): Promise<boolean> {
  const rows = await db.query(
    'delete from passkeys where id = $1 and account_id = $2 returning id',
    [id, account_id],
    'remove_passkey',
  );
  return rows.length > 0;
}

export interface Challenge {
  /** SHA-256 of the challenge in hex. */
  readonly hash: string;
  /** Account that adds a passkey; undefined for a sign-in. */
  readonly account_id: string | undefined;
}

export async function insertChallenge(
  db: Db,
  { hash, account_id }: Challenge,
  expires_at: string,
): Promise<void> {
  await db.query(
    `insert into passkey_challenges (challenge_hash, account_id, expires_at)
     values (decode($1, 'hex'), $2, $3)`,
    [hash, account_id, expires_at],
    'insert_challenge',
  );
}

/**
 * Deletes a challenge. Returns false if it did not exist for this purpose, so that each challenge
 * works once.
 */
export async function consumeChallenge(
  db: Db,
  { hash, account_id }: Challenge,
  now: string,
): Promise<boolean> {
  const rows = await db.query(
    `delete from passkey_challenges where challenge_hash = decode($1, 'hex')
       and account_id is not distinct from $2::uuid and expires_at > $3 returning expires_at`,
    [hash, account_id, now],
    'take_challenge',
  );
  return rows.length > 0;
}
