import type { Db } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import { insertAuditEntries, merchantsTold } from '../audit/sql.ts';

/** What somebody does with an account itself, at no merchant. */
export interface Access {
  readonly account_id: string;
  /** Method and route. */
  readonly action: string;
  readonly ip: string;
  /** The HTTP status, where it is over already. */
  readonly outcome?: number | undefined;
}

const ABOUT_ACCESS = /^[A-Z]+ \/dashboard\/api\/(?:session|sessions|account|links)(?:\/|$)/;
/** Posted, for the secret that is sent, and yet no write. */
const LOOK = 'POST /dashboard/api/links/look';

/** Whether an action is about how an account is signed in with: that concerns all merchants whose member it is. */
export const isAboutAccess = (action: string): boolean => ABOUT_ACCESS.test(action);

/** Whether an action changes nothing, and leaves no entry. */
export const isLook = (action: string): boolean => action === LOOK;

/**
 * Writes into the log how an account is signed in with: an entry for each merchant whose member it is, or one of its own where
 * it is nobody's. Gives the ids of the entries.
 */
export async function noteAccess(db: Db, clock: Clock, access: Access): Promise<readonly string[]> {
  const told = await merchantsTold(db, access.account_id);
  const now = clock.now();
  const entries = (told.length > 0 ? told : [undefined]).map((merchant_id) => ({
    ...access,
    merchant_id,
    id: uuidv7(now),
    at: instantText(now),
  }));
  await insertAuditEntries(db, entries);
  return entries.map(({ id }) => id);
}

/**
 * Writes into the log what anybody may cause by knowing an address: a wrong password, or a letter that was asked for. It is one
 * entry however many merchants there are to be told, so that no stranger fills the log.
 */
export async function noteTry(db: Db, clock: Clock, access: Access): Promise<void> {
  const now = clock.now();
  const entry = { ...access, by_anybody: true, id: uuidv7(now), at: instantText(now) };
  await insertAuditEntries(db, [entry]);
}
