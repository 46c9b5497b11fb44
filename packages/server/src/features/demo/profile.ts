import type { Row } from '../../platform/database/row.ts';
import { operationsRows } from './merchant-status.ts';
import { type DemoTeam, peopleRows } from './people.ts';
import { createRowMaker, type Owner, type TableRows } from './rows.ts';

export interface Profile extends Omit<Owner, 'merchant_id'>, DemoTeam {
  /** The merchant's new keys. The integration uses the first one. */
  readonly tokens: readonly Row[];
  readonly integration_id: string;
}

/** Rows of a merchant without customers, in the order of their references. */
export function profileRows(profile: Profile): TableRows[] {
  const { merchant } = profile;
  const make = createRowMaker({ ...profile, merchant_id: merchant.id as string });
  return [
    ...peopleRows(make, profile),
    ...operationsRows(make, profile.tokens, profile.integration_id),
  ];
}
