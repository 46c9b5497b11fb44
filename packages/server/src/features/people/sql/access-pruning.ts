import type { Db } from '../../../platform/database/db.ts';

/** Tables of sign-in records, each with the column of the time after which a row is useless. */
const tables = {
  sessions: { key: 'id', over: 'expires_at' },
  account_links: { key: 'id', over: 'expires_at' },
  account_requests: { key: 'account_id, key', over: 'created_at' },
  passkey_challenges: { key: 'challenge_hash', over: 'expires_at' },
} as const;

/** Deletes rows that ended before `cutoff`. Returns the number of deleted rows. */
export async function pruneAccess(
  db: Db,
  table: keyof typeof tables,
  cutoff: string,
  limit: number,
): Promise<number> {
  const { key, over } = tables[table];
  const rows = await db.query(
    `delete from ${table} where (${key}) in
       (select ${key} from ${table} where ${over} < $1 order by ${over} limit $2)
     returning ${over}`,
    [cutoff, limit],
    `prune_${table}`,
  );
  return rows.length;
}
