import type { AppliedMigration } from '@florin/contract/migrations/plan.ts';
import type { Db } from '../../../platform/database/db.ts';

/** Migrations that the database has. */
export async function readApplied(db: Db): Promise<AppliedMigration[]> {
  const rows = await db.query('select name, checksum from kysely_migration', []);
  return rows.map(({ name, checksum }) => ({
    name: name as string,
    checksum: checksum as string | null,
  }));
}
