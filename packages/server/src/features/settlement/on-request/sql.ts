import type { Db } from '../../../platform/database/db.ts';
import { REQUESTED_SOURCE, type SettlementSource } from '../sql.ts';

/**
 * Locks the progress of settlement until the transaction ends. Waits for a step of the daily settlement, which leaves out
 * locked progress.
 */
export async function lockSettlement(tx: Db, { processor, mode }: SettlementSource): Promise<void> {
  await tx.query(
    'select from settlement_progress where processor = $1 and mode = $2 for update',
    [processor, mode],
    'lock_settlement_on_request',
  );
}

/** Number of the last line of a day's settlements on request; 0 without any. The caller has locked the progress. */
export async function lastRequestedLine(tx: Db, day: string): Promise<number> {
  const [row] = await tx.query(
    `select coalesce(max(line), 0) as line from settlement_entries
     where processor = $1 and mode = 'sandbox' and day = $2`,
    [REQUESTED_SOURCE, day],
    'last_requested_line',
  );
  return Number(row?.line);
}
