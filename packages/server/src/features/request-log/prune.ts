import {
  REQUESTS_RETENTION_DAYS,
  REQUESTS_STORED_MAX,
} from '@florin/contract/resources/api-requests.ts';
import type { Db } from '../../platform/database/db.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { pruneRequestsBeyond, pruneRequestsUntil } from './sql.ts';

const RETENTION_SECONDS = REQUESTS_RETENTION_DAYS * 86_400;
/**
 * Seconds within which a merchant's requests count as recent. Much longer than the pruning
 * interval, so that pruning finds every merchant beyond the maximum.
 */
const RECENT_SECONDS = 3_600;

/**
 * Prunes requests past their retention, and requests beyond a merchant's maximum, at most `limit`
 * of each. Returns the larger count.
 */
export async function pruneRequests(db: Db, now: Micros, limit: number): Promise<number> {
  const expiredCount = await pruneRequestsUntil(
    db,
    instantText(now - seconds(RETENTION_SECONDS)),
    limit,
  );
  const since = instantText(now - seconds(RECENT_SECONDS));
  const surplusCount = await pruneRequestsBeyond(db, {
    stored_max: REQUESTS_STORED_MAX,
    since,
    limit,
  });
  return Math.max(expiredCount, surplusCount);
}
