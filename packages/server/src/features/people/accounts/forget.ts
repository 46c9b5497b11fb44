import type { Db } from '../../../platform/database/db.ts';
import { forgetTries } from '../../../platform/rates/tries.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import { forgetAuditEntries } from '../audit/sql.ts';
import { forgetAccess } from '../sql/access-forgotten.ts';
import { forgetAccountLetters } from '../sql/account-letters.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** How long is kept who has done what. */
export const AUDIT_DAYS = 400;
/** How long letters to accounts are kept, and sessions, links and challenges that are over. */
export const ACCESS_DAYS = 30;

/** Forgets what has had its time of how people sign in, and of what they did, at most `limit` of each. Gives the most of any. */
export async function forgetAccounts(db: Db, now: Micros, limit: number): Promise<number> {
  const before = (days: number): string => instantText(now - seconds(days * DAY_SECONDS));
  const counts = [
    await forgetAuditEntries(db, before(AUDIT_DAYS), limit),
    await forgetAccountLetters(db, before(ACCESS_DAYS), limit),
    await forgetAccess(db, 'sessions', before(ACCESS_DAYS), limit),
    await forgetAccess(db, 'account_links', before(ACCESS_DAYS), limit),
    await forgetAccess(db, 'account_requests', before(ACCESS_DAYS), limit),
    await forgetAccess(db, 'passkey_challenges', before(0), limit),
    await forgetTries(db, before(0), limit, 'access_tries'),
  ];
  return Math.max(...counts);
}
