import type { Db } from '../../../platform/database/db.ts';
import { settledLines } from '../../ledger/sql/ledger-check.ts';
import { REQUESTED_SOURCE } from '../../settlement/sql.ts';

/** SQL: transfers of a merchant that lines of settlement prove in this cell. */
export const settledTransfers = (merchant_id: string): string =>
  `select merchant_id, mode, source_id, kind, amount_cents, amount_currency
   from (${settledLines(`merchant_id = '${merchant_id}'`)}) settled`;

/** Table and columns that take what another cell has settled. */
export const MOVED_SETTLEMENTS =
  'moved_settlements (merchant_id, mode, source_id, kind, amount_cents, amount_currency)';

/** Lines with a merchant, and the key of a line. */
const LINES = [
  ['settlement_entries', 'processor, mode, day, line'],
  ['processor_report_lines', 'report_id, line'],
] as const;

/**
 * Marks a slice of the lines of a merchant who has moved, and deletes those of settlements on request, which belong to no
 * file. Returns the larger number of changed lines.
 */
export async function disownLines(cell: Db, merchant_id: string, limit: number): Promise<number> {
  const requested = await cell.query(
    `delete from settlement_entries where (processor, mode, day, line) in (
       select processor, mode, day, line from settlement_entries t
       where t.merchant_id = $1 and t.processor = $3 limit $2) returning 1`,
    [merchant_id, limit, REQUESTED_SOURCE],
  );
  const counts = [requested.length];
  for (const [table, key] of LINES) {
    const rows = await cell.query(
      `update ${table} set outcome = 'moved', merchant_id = null, source_id = null where (${key}) in (
         select ${key} from ${table} t where t.merchant_id = $1 limit $2) returning 1`,
      [merchant_id, limit],
    );
    counts.push(rows.length);
  }
  return Math.max(...counts);
}
