import type { Db } from '../../../platform/database/db.ts';
import { REQUESTED_SOURCE } from '../../settlement/sql.ts';
import { type Removal, SANDBOX } from './sandbox-rows.ts';

/** Tables with lines of settlement, the key of a line, and the outcome of a line without a merchant. */
const SETTLEMENT_LINES = [
  ['settlement_entries', 'processor, mode, day, line', 'unknown_merchant'],
  ['processor_report_lines', 'report_id, line', 'unmatched'],
] as const;

/** SQL: no transfer of a line `t` is left. */
const HAS_NO_TRANSFER = `not exists (select from ledger_transfers l
  where l.merchant_id = t.merchant_id and l.source_id = t.source_id)`;

/**
 * Detaches the merchant from at most `limit` lines of each kind of settlement file, because the transfers that these
 * lines confirm are deleted. Deletes lines of settlements on request, which belong to no file. Returns the larger number
 * of changed lines.
 */
export async function unassignSettlements(
  tx: Db,
  { merchant_id, limit }: Removal,
): Promise<number> {
  const deletedRows = await tx.query(
    `delete from settlement_entries t where ${SANDBOX} and processor = $3 and ctid = any (array
       (select ctid from settlement_entries t where ${SANDBOX} and processor = $3 and ${HAS_NO_TRANSFER} limit $2))
     returning 1`,
    [merchant_id, limit, REQUESTED_SOURCE],
    'remove_requested_lines',
  );
  const counts = [deletedRows.length];
  for (const [table, key, outcome] of SETTLEMENT_LINES) {
    const changedRows = await tx.query(
      `update ${table} set outcome = '${outcome}', merchant_id = null, source_id = null where (${key}) in (
         select ${key} from ${table} t where ${SANDBOX} and ${HAS_NO_TRANSFER} limit $2) returning 1`,
      [merchant_id, limit],
      `disown_${table}`,
    );
    counts.push(changedRows.length);
  }
  return Math.max(...counts);
}
