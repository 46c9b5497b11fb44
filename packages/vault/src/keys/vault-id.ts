import type { Db } from '../store/db.ts';

/** Id of the vaults that share this database. */
export async function findVaultId(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>('select id from vault.identity');
  return row?.id as string;
}
