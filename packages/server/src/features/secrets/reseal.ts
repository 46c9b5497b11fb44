import type { Sealer, SealLocation, SealState } from '../../platform/crypto/sealer.ts';
import type { Database } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { SealedColumn } from './sealed-columns.ts';
import { type PlaceInTable, readSealed, storeResealed, TABLE_START } from './sql.ts';

/** Rows per statement, so that no statement holds locks for long. */
const SLICE_ROWS = 500;

/** Texts of a column by the key that opens them, as found. */
type SealCounts = Readonly<Record<SealState, number>>;

/** Result of a pass over a column. */
export interface ResealedColumn {
  readonly found: SealCounts;
  /** Texts that now have the newest key. */
  readonly resealed: number;
}

/** Passes over a column: counts texts, or seals those that lack the newest key. */
export interface ResealOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly dry_run: boolean;
  /** Gets the number of rows of the column that were read so far. */
  readonly report?: (rows: number) => void;
}

/**
 * Seals the texts of a column with the newest key, a slice at a time. Repeating it continues. Rows that change meanwhile
 * have the newest key already. Plain texts are sealed where an earlier version of Florin stored such.
 */
export async function resealColumn(
  { db, sealer, dry_run, report }: ResealOptions,
  column: SealedColumn,
): Promise<ResealedColumn> {
  const found = { newest: 0, older: 0, unreadable: 0, plain: 0 };
  let [after, rows, resealed] = [TABLE_START, 0, 0];
  for (;;) {
    const slice = await readSealed(db, column, after, SLICE_ROWS);
    for (const row of slice) found[stateOf(sealer, column, row)] += 1;
    const stale = dry_run ? [] : slice.filter((row) => isStale(sealer, column, row));
    if (stale.length > 0)
      resealed += await storeResealed(db, column, sealAnew(sealer, column, stale));
    rows += slice.length;
    report?.(rows);
    const last = slice.at(-1);
    if (!last || slice.length < SLICE_ROWS) return { found, resealed };
    after = last as unknown as PlaceInTable;
  }
}

const locationOf = ({ column }: SealedColumn, row: Row): SealLocation => ({
  merchant_id: row.owner as string,
  id: row.id as string,
  column,
});

const stateOf = (sealer: Sealer, column: SealedColumn, row: Row): SealState =>
  sealer.stateOf(row.stored as string, locationOf(column, row));

function isStale(sealer: Sealer, column: SealedColumn, row: Row): boolean {
  const state = stateOf(sealer, column, row);
  return state === 'older' || (state === 'plain' && column.was_plain === true);
}

/** The texts of rows, sealed with the newest key. All must be readable. */
export const sealAnew = (sealer: Sealer, column: SealedColumn, rows: readonly Row[]) =>
  rows.map((row) => {
    const location = locationOf(column, row);
    const text = sealer.open(row.stored as string, location) as string;
    return { row, sealed: sealer.seal(text, location) };
  });
