import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findFault, GENESIS } from './chain.ts';
import { type CheckState, readCheck, readRowsAfter, storeCheck } from './sql.ts';
import { verifySlice } from './verify.ts';

/** Rows of one check. The next one continues. */
const CHECK_ROWS_MAX = 5_000;

export interface AuditCheckServices extends Pick<Services, 'db' | 'system_clock'> {
  readonly logger: Pick<Services['logger'], 'error'>;
}

/**
 * Checks the rows that were added since the last check. A fault stays until an operator accepts it, so that nobody
 * overlooks it. Returns whether rows remain.
 */
export async function checkAuditLog({
  db,
  system_clock,
  logger,
}: AuditCheckServices): Promise<boolean> {
  const state = (await readCheck(db)) ?? { head: GENESIS, fault: null };
  if (state.fault) return false;
  const { head, rows, faults } = await verifySlice(db, state.head, CHECK_ROWS_MAX);
  const [fault = (await findLostEnd(db, state)) ?? null] = faults;
  if (fault) logger.error({ fault, seq: head.seq }, 'audit log changed');
  await storeCheck(db, { head, fault }, instantText(system_clock.now()));
  return fault === null && rows.length === CHECK_ROWS_MAX;
}

/** Fault if the last checked row is gone or was changed. */
async function findLostEnd(
  db: AuditCheckServices['db'],
  { head }: CheckState,
): Promise<string | undefined> {
  if (head.seq === 0) return undefined;
  const [row] = await readRowsAfter(db, head.seq - 1, 1);
  if (!row || row.seq !== head.seq) return `entry ${head.seq} is gone`;
  if (!row.hash.equals(head.hash)) return `entry ${head.seq} was changed`;
  return findFault({ seq: head.seq - 1, hash: row.prev_hash }, row);
}
