import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { claimDue } from '../../platform/workers/claim.ts';
import type { Services } from '../../services.ts';

/** How due rows of a table are taken up. */
export interface ClaimEach {
  readonly table: string;
  /** Those of one mode; absent: of both. */
  readonly mode?: Mode;
  /** Rows that one step claims. */
  readonly limit: number;
  /** A row whose work failed, or whose process died, is due again after this long. */
  readonly lease_s: number;
  /** For the log where the work with a row fails: `expiring failed`. */
  readonly failed: string;
  readonly work: (row: Row) => Promise<void>;
}

/** Claims rows that are due and works on each, beside each other; one that fails does not touch the others. Returns how many. */
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
