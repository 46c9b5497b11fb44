import type { Scope } from '../kernel/scope.ts';
import type { Database } from '../store/db.ts';

/** In the order of a new card: its transaction locks counts before it stores an id. */
const COUNTED_FIRST = ['cvvs', 'alike_counts', 'new_number_counts', 'fingerprint_ids'] as const;
/** Above every version of a key. */
const VERSION_MAX = 2_147_483_647;

/**
 * Destroys a merchant's keys in one mode up to a version, so that no card under them can be read. Also deletes
 * verification values and fingerprints. Keeps the rows of the keys, so that the next key gets a new version. False if
 * there was none.
 */
export const destroyKeks = (
  db: Database,
  { merchant_id, mode }: Scope,
  now: number,
  version_max: number = VERSION_MAX,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const deletedRows = await tx.query(
      `update vault.keks set wrapped = '', destroyed_at = $3, rewrap_cursor = null,
         root_version = (select max(version) from vault.root_keys)
       where merchant_id = $1 and mode = $2 and version <= $4 and destroyed_at is null returning version`,
      [merchant_id, mode, new Date(now), version_max],
    );
    if (deletedRows.length === 0) return false;
    for (const table of COUNTED_FIRST)
      await tx.query(`delete from vault.${table} where merchant_id = $1 and mode = $2`, [
        merchant_id,
        mode,
      ]);
    await tx.query(
      `delete from vault.fingerprint_keys where merchant_id = $1 and not exists (
         select from vault.keks where keks.merchant_id = $1 and destroyed_at is null)`,
      [merchant_id],
    );
    return true;
  });

/** Highest version of a merchant's keys, up to `version_max`, that are not destroyed; undefined without one. */
export async function findKekVersion(
  db: Pick<Database, 'query'>,
  { merchant_id, mode }: Scope,
  version_max: number = VERSION_MAX,
): Promise<number | undefined> {
  const [row] = await db.query<{ version: number | null }>(
    `select max(version) as version from vault.keks
     where merchant_id = $1 and mode = $2 and version <= $3 and destroyed_at is null`,
    [merchant_id, mode, version_max],
  );
  return row?.version ?? undefined;
}
