import type { CopySession } from '../../platform/database/wire/copy.ts';
import { readOwnAccounts } from './sql/accounts.ts';
import { deleteArrival } from './sql/arrivals.ts';
import { disownLines } from './sql/moved-lines.ts';
import { nameMovedMerchant, removeRoot, removeSlice } from './sql/removal.ts';
import { removeRules } from './sql/rules.ts';
import type { MovedTable } from './tables.ts';

/** Maximum number of rows that one transaction deletes. */
export const REMOVED_MAX = 5_000;
/** Rows between two lines of progress. */
const REPORTED_ROWS = 100_000;

interface Removal {
  readonly merchant_id: string;
  readonly tables: readonly MovedTable[];
  readonly print: (line: string) => void;
}

/**
 * Deletes the rows of a merchant who has moved, referencing rows first, in slices that are transactions of their own. Can be
 * repeated after a crash. Returns the number of deleted rows.
 */
export async function removeMerchant(
  source: CopySession,
  { merchant_id, tables, print }: Removal,
): Promise<number> {
  await nameMovedMerchant(source, merchant_id);
  while ((await disownLines(source, merchant_id, REMOVED_MAX)) === REMOVED_MAX);
  let [removed, reported] = [0, 0];
  for (const table of tables.toReversed()) {
    if (table.name === 'merchants') continue;
    for (let count = REMOVED_MAX; count > 0; ) {
      count = await removeSlice(source, table, merchant_id, REMOVED_MAX);
      removed += count;
      if (removed - reported < REPORTED_ROWS) continue;
      reported = removed;
      print(`Deleted ${removed} rows in the source so far.`);
    }
  }
  removed += await removeRules(source, merchant_id);
  await deleteArrival(source, merchant_id);
  for (const { name, mode } of await readOwnAccounts(source, merchant_id))
    print(
      `The account ${name} (${mode}) for the merchant alone stays in the source: remove it once its last report is read.`,
    );
  return removed + (await removeRoot(source, merchant_id));
}
