import type { Db } from '../../../platform/database/db.ts';

/** Deletes the stored request if it has this id. Returns whether it was there. */
export async function deleteRequest(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(
    `delete from installation_facts where name = 'restore_request' and value::json ->> 'id' = $1 returning name`,
    [id],
  );
  return rows.length > 0;
}
