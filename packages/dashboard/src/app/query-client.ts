import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isStatus } from '../api/errors.ts';
import { meQuery } from '../api/session.ts';

const FRESH_MS = 15_000;

/** The client of `callInterface` and `callDashboard` tries again itself, as often as it makes sense. */
export const queries: QueryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: FRESH_MS }, mutations: { retry: false } },
  queryCache: new QueryCache({ onError: onRefusal }),
  mutationCache: new MutationCache({ onError: onRefusal }),
});

/** A session that is over is found out by whatever is asked next. Who does not sign in again leaves the page, and all that it has read with it. */
function onRefusal(error: unknown): void {
  const wasSignedIn = queries.getQueryData(meQuery.queryKey) !== undefined;
  if (!wasSignedIn || !isStatus(error, 401)) return;
  const to = location.pathname.replace(/^\/dashboard/, '') + location.search;
  location.replace(`/dashboard/sign-in?${new URLSearchParams({ to, ended: '1' })}`);
}
