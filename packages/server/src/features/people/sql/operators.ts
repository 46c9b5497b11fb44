import type { Db } from '../../../platform/database/db.ts';

/** Gives or removes an active account's operator role. Returns whether the account exists. */
export async function setOperator(
  db: Db,
  email: string,
  operator: boolean,
  at: string,
): Promise<boolean> {
  const rows = await db.query(
    `update accounts set operator = $2, updated_at = $3
     where lower(email) = lower($1) and account_status = 'active' returning id`,
    [email, operator, at],
    'set_operator',
  );
  return rows.length > 0;
}

/** Makes a pending account an operator from its activation on. Throws if the account is not pending. */
export async function promiseOperator(db: Db, account_id: string, at: string): Promise<void> {
  const rows = await db.query(
    `update accounts set operator = true, updated_at = $2
     where id = $1 and account_status = 'pending' returning id`,
    [account_id, at],
    'promise_operator',
  );
  if (rows.length === 0) throw new Error('the account is neither active nor pending');
}
