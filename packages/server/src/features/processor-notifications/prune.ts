import type { Db } from '../../platform/database/db.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { pruneDone } from './sql/notifications.ts';

/** Time for which applied notifications are kept: 30 days. Open ones stay. */
const RETENTION_SECONDS = 30 * 24 * 60 * 60;

/** Deletes applied and ignored notifications past their retention. Returns how many. */
export const pruneNotifications = (db: Db, now: Micros, limit: number): Promise<number> =>
  pruneDone(db, instantText(now - seconds(RETENTION_SECONDS)), limit);
