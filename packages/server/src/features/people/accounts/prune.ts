import type { Db } from '../../../platform/database/db.ts';
import { pruneTries } from '../../../platform/rates/shared-tries.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import { pruneAuditLog } from '../../audit-log/sql.ts';
import { AUDIT_DAYS } from '../../audit-log/verify.ts';
import { pruneAuditEntries } from '../audit/sql.ts';
import { pruneAccess } from '../sql/access-pruning.ts';
import { pruneAccountEmails } from '../sql/account-emails.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** Retention of account emails, and of ended sessions, links and challenges, in days. */
export const ACCESS_DAYS = 30;

const timeBefore = (now: Micros, days: number): string =>
  instantText(now - seconds(days * DAY_SECONDS));

/**
 * Prunes emails, counts and requests of people, and audit entries past their retention, at most `limit` of each kind.
 * Returns the largest count.
 */
export async function pruneAccounts(db: Db, now: Micros, limit: number): Promise<number> {
  const counts = [
    await pruneAuditEntries(db, timeBefore(now, AUDIT_DAYS), limit),
    await pruneAuditLog(db, AUDIT_DAYS, limit),
    await pruneAccountEmails(db, timeBefore(now, ACCESS_DAYS), limit),
    await pruneAccess(db, 'account_requests', timeBefore(now, ACCESS_DAYS), limit),
    await pruneTries(db, timeBefore(now, 0), limit, 'access_tries'),
  ];
  return Math.max(...counts);
}

/** Prunes sessions, links and challenges past their retention, as `pruneAccounts` does. */
export async function pruneSignIns(global: Db, now: Micros, limit: number): Promise<number> {
  const counts = [
    await pruneAccess(global, 'sessions', timeBefore(now, ACCESS_DAYS), limit),
    await pruneAccess(global, 'account_links', timeBefore(now, ACCESS_DAYS), limit),
    await pruneAccess(global, 'passkey_challenges', timeBefore(now, 0), limit),
  ];
  return Math.max(...counts);
}
