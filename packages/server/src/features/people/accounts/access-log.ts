import type { Db } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import { insertAuditEntries, merchantsToAudit } from '../audit/sql.ts';

/** A person's action on an account itself, outside any merchant. */
export interface Access {
  readonly account_id: string;
  /** Method and route. */
  readonly action: string;
  readonly ip: string;
  /** The HTTP status, if the request has ended. */
  readonly outcome?: number | undefined;
}

const ACCESS_ACTIONS = /^[A-Z]+ \/dashboard\/api\/(?:session|sessions|account|links)(?:\/|$)/;
/** A POST because it sends a secret, but it changes nothing. */
const LOOK = 'POST /dashboard/api/links/look';

/** Whether an action concerns an account's sign-in, and so all merchants of its person. */
export const isAboutAccess = (action: string): boolean => ACCESS_ACTIONS.test(action);

/** Whether an action only reads, and so leaves no entry. */
export const isRead = (action: string): boolean => action === LOOK;

/**
 * Logs how an account is signed in with: an entry per merchant of the account, or one without a
 * merchant. Returns the entries' ids.
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
 * Logs what anyone can cause who knows an address: a wrong password, or a requested email. Stores
 * one entry for all merchants, so that no stranger fills the log.
 */
export async function logAttempt(db: Db, clock: Clock, access: Access): Promise<void> {
  const now = clock.now();
  const entry = { ...access, by_anybody: true, id: uuidv7(now), at: instantText(now) };
  await insertAuditEntries(db, [entry]);
}
