import type { Db } from '../../platform/database/db.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { pruneNotificationsUntil } from './sql/notifications.ts';

/** Retention of notifications in days, whether they were read or not. */
export const NOTIFICATION_DAYS = 90;

/** Prunes at most `limit` notifications past their retention. Returns their number. */
export const pruneMemberNotifications = (db: Db, now: Micros, limit: number): Promise<number> =>
  pruneNotificationsUntil(db, instantText(now - seconds(NOTIFICATION_DAYS * 86_400)), limit);
