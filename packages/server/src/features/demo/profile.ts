import type { Row } from '../../platform/database/row.ts';
import { oversightRows } from './oversight.ts';
import { type People, peopleRows } from './people.ts';
import { type Owner, rowMaker, type TableRows } from './rows.ts';

export interface Profile extends Omit<Owner, 'merchant_id'>, People {
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
    ...peopleRows(make, profile),
    ...oversightRows(make, profile.tokens, profile.integration_id),
  ];
}
