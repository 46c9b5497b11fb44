import type { Db } from '../../../platform/database/db.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import { pruneContents } from './sql.ts';

/** Retention after the end of a dispute: card networks may ask again within 18 months. */
export const FILE_RETENTION_DAYS = 540;

/** Deletes contents past their retention. Returns the number of files. */
export const pruneDisputeFiles = (db: Db, now: Micros, limit: number): Promise<number> =>
  pruneContents(
    db,
    instantText(now - seconds(FILE_RETENTION_DAYS * 86_400)),
    instantText(now),
    limit,
  );
