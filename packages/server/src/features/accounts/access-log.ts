import { type Clock, instantText } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { insertAuditEntries, merchantsTold } from '../../store/audit.ts';
import type { Db } from '../../store/db.ts';

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

/** Whether an action is about how an account is signed in with: that concerns all merchants whose member it is. */
export const isAboutAccess = (action: string): boolean => ABOUT_ACCESS.test(action);

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
