import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText, seconds } from '../../../platform/time/clock.ts';
import { hashKey } from '../../merchants/api-key.ts';
import { findLink, insertLink, type LinkPurpose } from '../sql/account-links.ts';
import { looksLikeToken, makeToken } from './token.ts';

const HOUR = 3_600;
/** How long a link is good for. */
export const LINK_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  verify_email: 24 * HOUR,
  reset_password: HOUR,
  invitation: 7 * 24 * HOUR,
  change_email: 24 * HOUR,
};

export interface LinkFor {
  readonly account_id: string;
  readonly purpose: LinkPurpose;
  readonly email?: string | undefined;
  readonly merchant_id?: string | undefined;
  readonly membership_id?: string | undefined;
}

/** Makes a link in place of earlier ones for the same, and gives its token. */
export async function makeLink(tx: Db, clock: Clock, what: LinkFor): Promise<string> {
  const token = makeToken();
  const now = clock.now();
  await insertLink(tx, {
    ...what,
    id: uuidv7(now),
    token_hash: hashKey(token),
    at: instantText(now),
    expires_at: instantText(now + seconds(LINK_SECONDS[what.purpose])),
  });
  return token;
}

/** What a token is good for; undefined where it is for nothing, or no longer. */
export const linkOf = async (db: Db, clock: Clock, token: string): Promise<Row | undefined> =>
  looksLikeToken(token) ? findLink(db, hashKey(token), instantText(clock.now())) : undefined;

/** The address of a link. Browsers keep what follows the `#` from servers, logs and other sites. */
export const linkUrl = (public_url: string, token: string): string =>
  `${public_url}/dashboard/link#${token}`;
