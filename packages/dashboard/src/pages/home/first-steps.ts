import type { GettingStarted } from '@florin/contract/getting-started.ts';
import { dashboardQuery } from '../../api/queries.ts';
import type { Scope } from '../../api/types.ts';

/** Query of the merchant's first steps. */
export const firstStepsQuery = (scope: Scope) =>
  dashboardQuery<GettingStarted>(scope, 'getting_started');

/** The account and merchant whose first steps can be hidden in this browser. */
export const ownerOf = (account: string, merchant: string): string => `${account} ${merchant}`;
