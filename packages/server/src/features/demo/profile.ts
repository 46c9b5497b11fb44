import type { Row } from '../../store/row.ts';
import { oversightRows } from './oversight.ts';
import { peopleRows } from './people.ts';
import { type Owner, rowMaker, type TableRows } from './rows.ts';

export interface Profile extends Omit<Owner, 'merchant_id'> {
  /** The merchant's own row, but for the account that opened it. */
  readonly merchant: Row;
  /** Of the addresses of the merchant's people. Accounts are of the whole installation, so each merchant wants its own. */
  readonly domain: string;
  /** Of the account that opened the merchant; null where nobody signs in. */
  readonly password_hash: string | null;
  /** The merchant's new keys. The first one is that of its integration. */
  readonly tokens: readonly Row[];
  /** What the merchant has connected. */
  readonly integration_id: string;
}

/** A merchant and all that it has before its first customer comes, as rows in the order in which they can be stored. */
export function profileRows(profile: Profile): TableRows[] {
  const { merchant } = profile;
  const make = rowMaker({ ...profile, merchant_id: merchant.id as string });
  return [
    ...peopleRows(make, merchant, profile.domain, profile.password_hash),
    ...oversightRows(make, profile.tokens, profile.integration_id),
  ];
}
