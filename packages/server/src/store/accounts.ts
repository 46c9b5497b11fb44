import type { Db } from './db.ts';
import type { Row } from './row.ts';

/** An account by its address, whatever its case. Accounts belong to no merchant, so there is no scope. */
export async function findAccountByEmail(db: Db, email: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select id, email, name, password_hash, account_status from accounts where lower(email) = lower($1)`,
    [email],
  );
  return row;
}

/** Whether the account is there and may still sign in. */
export async function isActiveAccount(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from accounts where id = $1 and account_status = 'active'`,
    [id],
  );
  return rows.length > 0;
}

/** The merchant that an account belongs to, oldest membership first; an invitation that nobody has accepted is none. */
export async function merchantOfAccount(db: Db, account_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select m.id, m.business_name from memberships b join merchants m on m.id = b.merchant_id
     where b.account_id = $1 and b.accepted_at is not null order by b.created_at limit 1`,
    [account_id],
  );
  return row;
}

/** The account of an address, whatever its case; one that waits for its person is made where there is none. */
export async function ensureAccount(
  db: Db,
  { id, email, at }: { readonly id: string; readonly email: string; readonly at: string },
): Promise<string> {
  await db.query(
    `insert into accounts (id, email, account_status, created_at, updated_at)
     values ($1, $2, 'pending', $3, $3) on conflict (lower(email)) do nothing`,
    [id, email, at],
    'ensure_account',
  );
  const account = await findAccountByEmail(db, email);
  return account?.id as string;
}

/** Whether the account has a membership of the merchant that its person has accepted. */
export async function isMember(db: Db, merchant_id: string, account_id: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from memberships
     where merchant_id = $1 and account_id = $2 and accepted_at is not null`,
    [merchant_id, account_id],
    'is_member',
  );
  return rows.length > 0;
}
