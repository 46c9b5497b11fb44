import type { AppliedMigration } from '@florin/contract/migrations/plan.ts';
import type { Db } from '../../../platform/database/db.ts';

/** Migrations that the database has. */
export async function readApplied(db: Db): Promise<AppliedMigration[]> {
  const rows = await db.query(
    `select name, checksum, to_jsonb(m) ->> 'phase' as phase from kysely_migration m`,
    [],
  );
  return rows.map(({ name, checksum, phase }) => ({
    name: name as string,
    checksum: checksum as string | null,
    phase: phase as string | null,
  }));
}
