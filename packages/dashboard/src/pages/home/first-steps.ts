import type { GettingStarted } from '@florin/contract/getting-started.ts';
import type { QueryClient } from '@tanstack/react-query';
import { dashboardQuery } from '../../api/queries.ts';
import { meQuery } from '../../api/session.ts';
import type { Scope } from '../../api/types.ts';
import { isHidden } from './hidden-start.ts';

/** Loaded on demand: merchants that have taken all steps do not need the list. */
export const loadGettingStarted = () =>
  import('./getting-started.tsx').then((it) => ({ default: it.GettingStarted }));

/** Query of the merchant's first steps. */
export const firstStepsQuery = (scope: Scope) =>
  dashboardQuery<GettingStarted>(scope, 'getting_started');

/** The account and merchant whose first steps can be hidden in this browser. */
export const ownerOf = (account: string, merchant: string): string => `${account} ${merchant}`;

/** Starts to load code and data of the first steps, unless the signed-in person has hidden them. */
export function prefetchFirstSteps(queries: QueryClient, scope: Scope): void {
  const me = queries.getQueryData(meQuery.queryKey);
  if (!me || isHidden(ownerOf(me.account.id, scope.merchant))) return;
  void loadGettingStarted();
  void queries.prefetchQuery(firstStepsQuery(scope));
}
