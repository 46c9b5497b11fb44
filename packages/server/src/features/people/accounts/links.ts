import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText, seconds } from '../../../platform/time/clock.ts';
import { hashKey } from '../../merchants/api-key.ts';
import { findAccountLink, insertLink, type LinkPurpose } from '../sql/account-links.ts';
import { looksLikeToken, makeToken } from './token.ts';

const HOUR = 3_600;
/** Lifetime of links in seconds. */
export const LINK_SECONDS: Readonly<Record<LinkPurpose, number>> = {
  verify_email: 24 * HOUR,
  reset_password: HOUR,
  invitation: 7 * 24 * HOUR,
  change_email: 24 * HOUR,
  operator: 24 * HOUR,
};

export interface LinkInput {
  readonly account_id: string;
  readonly purpose: LinkPurpose;
  readonly email?: string | undefined;
  readonly merchant_id?: string | undefined;
  readonly membership_id?: string | undefined;
}

/** Creates a link, replaces earlier links for the same purpose, and returns the token. */
export async function createAccountLink(tx: Db, clock: Clock, link: LinkInput): Promise<string> {
  const token = makeToken();
  const now = clock.now();
  await insertLink(tx, {
    ...link,
    id: uuidv7(now),
    token_hash: hashKey(token),
    at: instantText(now),
    expires_at: instantText(now + seconds(LINK_SECONDS[link.purpose])),
  });
  return token;
}

/** Finds the link of a token; undefined if unknown, used or expired. */
export const accountLinkOf = async (
  db: Db,
  clock: Clock,
  token: string,
): Promise<Row | undefined> =>
  looksLikeToken(token) ? findAccountLink(db, hashKey(token), instantText(clock.now())) : undefined;

/** Address of a link. Browsers do not send the part after `#` to servers. */
export const linkUrl = (public_url: string, token: string): string =>
  `${public_url}/dashboard/link#${token}`;
