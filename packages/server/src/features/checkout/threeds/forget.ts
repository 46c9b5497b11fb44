import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { forgetAuthentications } from './sql.ts';

const HOUR = seconds(60 * 60);
const DAY = 24 * HOUR;
/** By then no form can ask for it any more: its session is over. */
const PERSONAL_KEPT = 2 * HOUR;
/** Longer than any form is mounted, so that an abandoned attempt that comes late still finds that it is. */
const CARDLESS_KEPT = DAY;
/** Thirteen months: disputes about payments come within a year, and what the bank said is asked for then. */
export const AUTHENTICATIONS_KEPT_DAYS = 396;

/** Forgets what is not needed of authentications any more, at most `limit` rows of a kind. Returns how many of the most. */
export const forgetThreeDSecure = (
  { db }: Pick<Services, 'db'>,
  now: Micros,
  limit: number,
): Promise<number> =>
  forgetAuthentications(db, {
    personal_until: instantText(now - PERSONAL_KEPT),
    cardless_until: instantText(now - CARDLESS_KEPT),
    until: instantText(now - AUTHENTICATIONS_KEPT_DAYS * DAY),
    limit,
  });
