import type { QueryClient } from '@tanstack/react-query';
import { meQuery } from '../../api/session.ts';
import type { Scope } from '../../api/types.ts';
import { firstStepsQuery, ownerOf } from './first-steps.ts';
import { isHidden } from './hidden-start.ts';

/** Loaded on demand: merchants that have taken all steps do not need the list. */
export const loadGettingStarted = () =>
  import('./getting-started.tsx').then((it) => ({ default: it.GettingStarted }));

/** Starts to load code and data of the first steps, unless the signed-in person has hidden them. */
export function prefetchFirstSteps(queries: QueryClient, scope: Scope): void {
  const me = queries.getQueryData(meQuery.queryKey);
  if (!me || isHidden(ownerOf(me.account.id, scope.merchant))) return;
  void loadGettingStarted();
  void queries.prefetchQuery(firstStepsQuery(scope));
}
