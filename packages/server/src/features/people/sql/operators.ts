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

/** Deletes an address's open invitations as an operator. Returns whether there were any. */
export async function endOperatorLinks(db: Db, email: string): Promise<boolean> {
  const rows = await db.query(
    `delete from account_links l using accounts a where a.id = l.account_id
       and lower(a.email) = lower($1) and l.purpose = 'operator' and l.used_at is null returning l.id`,
    [email],
    'end_operator_links',
  );
  return rows.length > 0;
}
