import type { SealLocation } from '../../../platform/crypto/sealer.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import { insertAccountEmail } from '../sql/account-emails.ts';
import type { AccountEmailKind, MEMBER_NOTIFICATION } from './kinds.ts';

export interface AccountEmail {
  readonly kind: AccountEmailKind | typeof MEMBER_NOTIFICATION;
  readonly to_email: string;
  /** Language of the email. Default: the account's language. */
  readonly locale?: string | undefined;
  /** Facts of the email. Links are created when the email is sent. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** Stores an account email in the caller's transaction. */
export const writeAccountEmail = (
  tx: Db,
  now: Micros,
  { kind, to_email, locale, facts = {} }: AccountEmail,
): Promise<void> =>
  insertAccountEmail(tx, {
    id: uuidv7(now),
    kind,
    to_email,
    locale,
    facts: JSON.stringify(facts),
    at: instantText(now),
  });

/** Row and column for which an email's body is sealed. */
export const bodyLocation = ({ id }: Row): SealLocation => ({
  merchant_id: id as string,
  id: id as string,
  column: 'body',
});
