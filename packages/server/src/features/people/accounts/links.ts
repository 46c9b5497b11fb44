import type { Db } from '../../../platform/database/db.ts';
import type { CellDatabases } from '../../../platform/database/in-both.ts';
import type { Row } from '../../../platform/database/row.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type Clock, instantText, seconds } from '../../../platform/time/clock.ts';
import { hashKey } from '../../merchants/api-key.ts';
import {
  findAccountLink,
  findInvitingMerchant,
  insertLink,
  type LinkPurpose,
} from '../sql/account-links.ts';
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

/** Finds the link of a token, with the inviting merchant; undefined if unknown, used, expired or of a removed membership. */
export async function accountLinkOf(
  { db, global }: CellDatabases,
  clock: Clock,
  token: string,
): Promise<Row | undefined> {
  if (!looksLikeToken(token)) return undefined;
  const link = await findAccountLink(global, hashKey(token), instantText(clock.now()));
  if (!link?.merchant_id) return link && { ...link, business_name: null };
  const { merchant_id, membership_id } = link;
  const merchant = await findInvitingMerchant(db, merchant_id, membership_id as string);
  return merchant && { ...link, ...merchant };
}

/** Address of a link. Browsers do not send the part after `#` to servers. */
export const linkUrl = (public_url: string, token: string): string =>
  `${public_url}/dashboard/link#${token}`;
