import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Checked, DIFFERENCES_MAX } from '../ledger/sql/ledger-check.ts';
import { type FileTotal, readFiles, totalOf } from './sql.ts';

/** Maximum number of files that one statement reads. */
const FILES_MAX = 500;

/** Files whose lines do not match their trailer, and lines without a merchant. */
export async function settlementFileDifferences(
  db: Db,
  checked: Checked = () => {},
): Promise<Row[]> {
  const differences: Row[] = [];
  for (let last: Row | undefined; ; ) {
    const files = await readFiles(db, FILES_MAX, last);
    for (const file of files) differences.push(...differencesOf(file, await totalOf(db, file)));
    checked(files.length);
    last = files.at(-1);
    if (files.length < FILES_MAX) return differences.slice(0, DIFFERENCES_MAX);
  }
}

function differencesOf(file: Row, { count, sum, unknown_merchants }: FileTotal): Row[] {
  const isRight =
    Number(file.entry_count) === count && file.entry_sum === sum && unknown_merchants === 0;
  const found = { found_count: String(count), found_sum: sum };
  return isRight ? [] : [{ ...file, ...found, unknown_merchants: String(unknown_merchants) }];
}
