import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { claimDue } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';

/** How due rows of a table are claimed. */
export interface ClaimEach {
  readonly table: string;
  /** Absent: both modes. */
  readonly mode?: Mode;
  /** Rows that one step claims. */
  readonly limit: number;
  /** If the work fails or the process dies, the row is due again after this time. */
  readonly lease_s: number;
  /** Log message if the work on a row fails: `expiring failed`. */
  readonly failed: string;
  readonly work: (row: Row) => Promise<void>;
}

/**
 * Claims due rows and works on each, concurrently; a failure does not affect the others. Returns
 * how many.
 */
export async function claimEach(
  { db, clock, logger, within }: Pick<Services, 'db' | 'clock' | 'logger' | 'within'>,
  { table, mode, limit, lease_s, failed, work }: ClaimEach,
): Promise<number> {
  const now = clock.now();
  const lease_until = instantText(now + seconds(lease_s));
  const rows = await claimDue(db, {
    table,
    now: instantText(now),
    lease_until,
    limit,
    within: await within?.(),
    mode,
  });
  const one = async (row: Row): Promise<void> => {
    try {
      await work(row);
    } catch (error) {
      logger.error({ table, id: row.id, err: { message: (error as Error).message } }, failed);
    }
  };
  await Promise.all(rows.map(one));
  return rows.length;
}
