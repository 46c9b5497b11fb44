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

/** The merchant that an account belongs to, oldest membership first. */
export async function merchantOfAccount(db: Db, account_id: string): Promise<Row | undefined> {
  const [row] = await db.query(
    `select m.id, m.business_name from memberships b join merchants m on m.id = b.merchant_id
     where b.account_id = $1 order by b.created_at limit 1`,
    [account_id],
  );
  return row;
}
