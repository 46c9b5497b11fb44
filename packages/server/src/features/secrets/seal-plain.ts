import { SEALED_PREFIX } from '../../platform/crypto/sealer.ts';
import type { Services } from '../../services.ts';
import { sealAnew } from './reseal.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';
import { countPlain, readPlain, storeResealed } from './sql.ts';

/** Rows of one step. The next one continues. */
const SLICE_ROWS = 500;

const plainColumns = sealedColumns.filter(({ was_plain }) => was_plain);

/**
 * Seals a slice of texts that an earlier version stored in plain, and logs how many remain. Safe to repeat and to run in
 * several processes. Returns whether texts may remain.
 */
export async function sealPlainTexts(
  services: Pick<Services, 'db' | 'sealer' | 'logger'>,
): Promise<boolean> {
  for (const column of plainColumns) {
    const sealed = await sealSlice(services, column);
    if (sealed > 0) {
      const { table, column: name } = column;
      const remaining = await countPlain(services.db, column, SEALED_PREFIX);
      services.logger.info({ table, column: name, sealed, remaining }, 'plain texts sealed');
      return true;
    }
  }
  return false;
}

async function sealSlice(
  { db, sealer }: Pick<Services, 'db' | 'sealer'>,
  column: SealedColumn,
): Promise<number> {
  const rows = await readPlain(db, column, SEALED_PREFIX, SLICE_ROWS);
  if (rows.length === 0) return 0;
  return storeResealed(db, column, sealAnew(sealer, column, rows));
}
