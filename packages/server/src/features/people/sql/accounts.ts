import type { Db } from '../../../platform/database/db.ts';
import { servedHere } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import { enforcementActionSql } from '../../merchants/sql/enforcement-actions.ts';

/**
 * Finds an account by email address, ignoring case. Accounts belong to no merchant, so the query
 * has no scope.
 */
export async function findAccountByEmail(db: Db, email: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${COLUMNS} from accounts where lower(email) = lower($1)`,
    [email],
    'account_by_email',
  );
  return row;
}

export async function findAccount(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select ${COLUMNS} from accounts where id = $1`,
    [id],
    'account_by_id',
  );
  return row;
}

const COLUMNS = `id, email, name, password_hash, account_status, email_verified_at, locale,
  totp_secret, totp_confirmed_at, totp_step`;

/** Columns of an account that its person can change. */
export type AccountChange = Partial<
  Record<'name' | 'email' | 'password_hash' | 'locale' | 'email_verified_at', string | null>
>;

/** Changes an account. Rejects with a unique violation if another account has the address. */
export async function updateAccount(
  db: Db,
  id: string,
  change: AccountChange,
  at: string,
): Promise<void> {
  const names = Object.keys(change);
  const set = names.map((name, index) => `${name} = $${index + 3}`);
  await db.query(`update accounts set ${['updated_at = $2', ...set].join(', ')} where id = $1`, [
    id,
    at,
    ...Object.values(change),
  ]);
}

/** Changes a password if it is still the password that was checked. Returns whether it was. */
export async function changePassword(
  tx: Db,
  id: string,
  {
    checkedHash: checked,
    password_hash,
    at,
  }: { readonly checkedHash: string; readonly password_hash: string; readonly at: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update accounts set password_hash = $3, updated_at = $4
     where id = $1 and password_hash = $2 returning id`,
    [id, checked, password_hash, at],
    'change_password',
  );
  return rows.length > 0;
}

/** Activates a pending account. Returns false if it was not pending. */
export async function activateAccount(
  db: Db,
  id: string,
  {
    name,
    password_hash,
    at,
  }: { readonly name: string; readonly password_hash: string; readonly at: string },
): Promise<boolean> {
  const rows = await db.query(
    `update accounts set account_status = 'active', name = $2, password_hash = $3,
       email_verified_at = $4, owner_id = coalesce(owner_id, id), updated_at = $4
     where id = $1 and account_status = 'pending' returning id`,
    [id, name, password_hash, at],
    'activate_account',
  );
  return rows.length > 0;
}

/**
 * Merchants of an account, oldest membership first, at most `limit`. Leaves out open invitations.
 */
export const merchantsOfAccount = (db: Db, account_id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select m.id, m.business_name, m.active_at, m.submitted_at, b.id as membership_id, b.opener,
       b.permissions, b.invited_mode, b.accepted_at, ${enforcementActionSql('m.id', `'live'`)} as measure_live,
       ${enforcementActionSql('m.id', `'sandbox'`)} as measure_sandbox
     from memberships b join merchants m on m.id = b.merchant_id
     where b.account_id = $1 and b.accepted_at is not null and ${servedHere('b.merchant_id')}
     order by b.created_at, m.id limit $2`,
    [account_id, limit],
    'merchants_of_account',
  );

/** Attempts to find an account that is being merged into another account. */
const MERGE_TRIES_MAX = 3;

/**
 * Finds an account by email address, ignoring case, or creates a pending account. Locks it until
 * the transaction ends.
 */
export async function ensureAccount(
  db: Db,
  { id, email, at }: { readonly id: string; readonly email: string; readonly at: string },
): Promise<string> {
  for (let tries = 0; tries < MERGE_TRIES_MAX; tries++) {
    await db.query(
      `insert into accounts (id, email, account_status, created_at, updated_at)
       values ($1, $2, 'pending', $3, $3) on conflict (lower(email)) do nothing`,
      [id, email, at],
      'ensure_account',
    );
    const [account] = await db.query(
      'select id from accounts where lower(email) = lower($1) for key share',
      [email],
      'share_account',
    );
    if (account) return account.id as string;
  }
  throw new Error('an account went up in another one again and again');
}

/** Whether the account has an accepted membership of the merchant. */
export async function isMember(db: Db, merchant_id: string, account_id: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from memberships
     where merchant_id = $1 and account_id = $2 and accepted_at is not null`,
    [merchant_id, account_id],
    'is_member',
  );
  return rows.length > 0;
}

/** Open invitations of an account, newest first. */
export const invitationsOf = (db: Db, account_id: string, limit: number): Promise<Row[]> =>
  db.query(
    `select b.id, b.merchant_id, m.business_name from memberships b
     join merchants m on m.id = b.merchant_id
     where b.account_id = $1 and b.accepted_at is null and b.removed_at is null and ${servedHere('b.merchant_id')}
     order by b.created_at desc, b.id limit $2`,
    [account_id, limit],
    'invitations_of',
  );
