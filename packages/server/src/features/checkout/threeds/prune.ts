import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { pruneAuthentications } from './sql.ts';

const HOUR = seconds(60 * 60);
const DAY = 24 * HOUR;
/** After this time no form can need it: its session has expired. */
const PERSONAL_RETENTION = 2 * HOUR;
/** Longer than any form is mounted, so that a late attempt still finds its abandonment. */
const CARDLESS_RETENTION = DAY;
/** Thirteen months: payments are disputed within a year, and the issuer's result is needed then. */
export const AUTHENTICATIONS_RETENTION_DAYS = 396;

/** Prunes authentications, at most `limit` rows of a kind. Returns the largest count. */
export const pruneThreeDSecure = (
  { db }: Pick<Services, 'db'>,
  now: Micros,
  limit: number,
): Promise<number> =>
  pruneAuthentications(db, {
    personal_until: instantText(now - PERSONAL_RETENTION),
    cardless_until: instantText(now - CARDLESS_RETENTION),
    until: instantText(now - AUTHENTICATIONS_RETENTION_DAYS * DAY),
    limit,
  });
