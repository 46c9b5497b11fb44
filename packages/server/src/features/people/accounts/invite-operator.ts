import type { Database } from '../../../platform/database/db.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText } from '../../../platform/time/clock.ts';
import { ensureAccount } from '../sql/accounts.ts';
import { setOperator } from '../sql/operators.ts';
import { createAccountLink, linkUrl } from './links.ts';

interface InviteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly public_url: string;
}

/**
 * Returns a link with which a person chooses name and password, and becomes an operator. Returns undefined for an
 * active account, which becomes an operator at once. A repeated invitation replaces the link.
 */
export const inviteOperator = (
  { db, clock, public_url }: InviteDeps,
  email: string,
): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    const now = clock.now();
    const at = instantText(now);
    if (await setOperator(tx, email, true, at)) return undefined;
    const account_id = await ensureAccount(tx, { id: uuidv7(now), email, at });
    const token = await createAccountLink(tx, clock, { account_id, purpose: 'operator' });
    return linkUrl(public_url, token);
  });
