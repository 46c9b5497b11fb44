import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { claimDue } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';

/** How due rows of a table are claimed and processed. */
export interface ClaimEach {
  readonly table: string;
  /** Default: both modes. */
  readonly mode?: Mode;
  /** Maximum number of rows that one step claims. */
  readonly limit: number;
  /** Lease in seconds. If the work fails or the process dies, the row is due again after it. */
  readonly lease_s: number;
  /** Log message for a row whose work fails, such as `expiry of an authentication failed`. */
  readonly failed: string;
  readonly work: (row: Row) => Promise<void>;
}

/**
 * Claims due rows and processes them concurrently; a failure does not affect other rows. Returns
 * the number of claimed rows.
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
  const claimRow = async (row: Row): Promise<void> => {
    try {
      await work(row);
    } catch (error) {
      logger.error({ table, id: row.id, err: { message: (error as Error).message } }, failed);
    }
  };
  await Promise.all(rows.map(claimRow));
  return rows.length;
}
