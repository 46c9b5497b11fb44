import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { pruneAuthentications } from './sql.ts';

const HOUR = seconds(60 * 60);
const DAY = 24 * HOUR;
/** Two hours: the session of every form that could need personal data has expired by then. */
const PERSONAL_RETENTION = 2 * HOUR;
/** One day, the longest window of card attempts. */
const COUNTERS_RETENTION = DAY;
/** One day: longer than any form is mounted, so that a late attempt still finds its abandonment. */
const CARDLESS_RETENTION = DAY;
/**
 * Thirteen months. Payers dispute payments within a year, and the merchant then needs the issuer's
 * result.
 */
export const AUTHENTICATIONS_RETENTION_DAYS = 396;

/**
 * Prunes authentications and their personal data, at most `limit` rows of each kind. Returns the
 * largest count of a kind.
 */
export const pruneThreeDSecure = (
  { db }: Pick<Services, 'db'>,
  now: Micros,
  limit: number,
): Promise<number> =>
  pruneAuthentications(db, {
    personal_until: instantText(now - PERSONAL_RETENTION),
    counters_until: instantText(now - COUNTERS_RETENTION),
    cardless_until: instantText(now - CARDLESS_RETENTION),
    until: instantText(now - AUTHENTICATIONS_RETENTION_DAYS * DAY),
    limit,
  });
