import type { Db } from '../../platform/database/db.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** Ids of at most `limit` customers with this email address in any case, oldest first. Omits merged customers. */
export async function findByEmail(
  db: Db,
  { merchant_id, mode }: Scope,
  email: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.query(
    `select id from customers
     where merchant_id = $1 and mode = $2 and lower(email) = lower($3) and merged_at is null
     order by created_at, id limit $4`,
    [merchant_id, mode, email, limit],
    'customers_with_email',
  );
  return rows.map(({ id }) => id as string);
}
