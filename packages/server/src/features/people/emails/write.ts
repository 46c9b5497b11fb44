import type { Place } from '../../../platform/crypto/sealer.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import { insertAccountLetter } from '../sql/account-letters.ts';
import type { AccountLetterKind } from './kinds.ts';

export interface AccountLetter {
  readonly kind: AccountLetterKind;
  readonly to_email: string;
  /** Default: the account's language. */
  readonly locale?: string | undefined;
  /** Facts of the email; links are created when it is sent. */
  readonly facts?: Readonly<Record<string, string>>;
}

/** Stores an account email in the transaction that causes it. */
export const writeAccountLetter = (
  tx: Db,
  now: Micros,
  { kind, to_email, locale, facts = {} }: AccountLetter,
): Promise<void> =>
  insertAccountLetter(tx, {
    id: uuidv7(now),
    kind,
    to_email,
    locale,
    facts: JSON.stringify(facts),
    at: instantText(now),
  });

/** Row and column that an email's body is sealed for. */
export const bodyPlace = ({ id }: Row): Place => ({
  merchant_id: id as string,
  id: id as string,
  column: 'body',
});
