import type { Db } from '../../../platform/database/db.ts';

/** Keys of a member in both modes that have not expired; the record limit of keys bounds them. */
export async function findWorkingKeys(
  db: Db,
  member: { readonly merchant_id: string; readonly membership_id: string },
  now: string,
): Promise<readonly { merchant_id: string; id: string }[]> {
  const { merchant_id, membership_id } = member;
  const rows = await db.query(
    `select id from merchant_tokens
     where merchant_id = $1 and creator_id = $2 and (expiry is null or expiry > $3)`,
    [merchant_id, membership_id, now],
    'working_keys_of_member',
  );
  return rows.map(({ id }) => ({ merchant_id, id: id as string }));
}
