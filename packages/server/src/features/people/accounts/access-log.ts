import type { Db } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import { insertAuditEntries, merchantsToAudit } from '../audit/sql.ts';

/** A person's action on an account, independent of any merchant. */
export interface Access {
  readonly account_id: string;
  /** HTTP method and route. */
  readonly action: string;
  readonly ip: string;
  /** HTTP status; absent until the request has ended. */
  readonly outcome?: number | undefined;
}

const ACCESS_ACTIONS = /^[A-Z]+ \/dashboard\/api\/(?:session|sessions|account|links)(?:\/|$)/;
/** Route that only reads. As a POST, it keeps the link's token out of the logged address. */
const LINK_READ = 'POST /dashboard/api/links/look';

/**
 * Whether an action changes how an account signs in. Such actions concern all merchants of the
 * person.
 */
export const isAboutAccess = (action: string): boolean => ACCESS_ACTIONS.test(action);

/** Whether an action only reads. Reads leave no audit entry. */
export const isRead = (action: string): boolean => action === LINK_READ;

/**
 * Logs a change of how an account signs in: one entry per merchant of the account. An account
 * without merchants gets one entry. Returns the entries' ids.
 */
export async function logAccess(db: Db, clock: Clock, access: Access): Promise<readonly string[]> {
  const merchants = await merchantsToAudit(db, access.account_id);
  const now = clock.now();
  const entries = (merchants.length > 0 ? merchants : [undefined]).map((merchant_id) => ({
    ...access,
    merchant_id,
    id: uuidv7(now),
    at: instantText(now),
  }));
  await insertAuditEntries(db, entries);
  return entries.map(({ id }) => id);
}

/**
 * Logs an action that needs no authentication: a wrong password or a requested email. All merchants
 * of the account see the same entry, so that strangers cannot fill the log.
 */
export async function logAttempt(db: Db, clock: Clock, access: Access): Promise<void> {
  const now = clock.now();
  const entry = { ...access, by_anybody: true, id: uuidv7(now), at: instantText(now) };
  await insertAuditEntries(db, [entry]);
}
