import type { Db } from '../../../platform/database/db.ts';
import { type Removal, SANDBOX } from './sandbox-rows.ts';

/** Tables with lines of settlement, the key of a line, and the outcome of a line without a merchant. */
const SETTLEMENT_LINES = [
  ['settlement_entries', 'processor, mode, day, line', 'unknown_merchant'],
  ['processor_report_lines', 'report_id, line', 'unmatched'],
] as const;

/**
 * Detaches the merchant from at most `limit` lines of each kind of settlement file, because the transfers that these
 * lines confirm are deleted. Returns the larger number of changed lines.
 */
export async function unassignSettlements(
  tx: Db,
  { merchant_id, limit }: Removal,
): Promise<number> {
  const counts: number[] = [];
  for (const [table, key, outcome] of SETTLEMENT_LINES) {
    const changedRows = await tx.query(
      `update ${table} set outcome = '${outcome}', merchant_id = null, source_id = null where (${key}) in (
         select ${key} from ${table} t where ${SANDBOX} and not exists (select from ledger_transfers l
           where l.merchant_id = t.merchant_id and l.source_id = t.source_id) limit $2) returning 1`,
      [merchant_id, limit],
      `disown_${table}`,
    );
    counts.push(changedRows.length);
  }
  return Math.max(...counts);
}
