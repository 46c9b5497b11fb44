import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isStatus } from '../api/errors.ts';
import { meQuery } from '../api/session.ts';

const FRESH_MS = 15_000;

/** No retries here, because `callInterface` and `callDashboard` retry themselves. */
export const queries: QueryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: FRESH_MS }, mutations: { retry: false } },
  queryCache: new QueryCache({ onError: onRefusal }),
  mutationCache: new MutationCache({ onError: onRefusal }),
});

/**
 * Handles an expired session, which any request can reveal. Without a new sign-in, the page and its cache are
 * dropped.
 */
function onRefusal(error: unknown): void {
  const wasSignedIn = queries.getQueryData(meQuery.queryKey) !== undefined;
  if (!wasSignedIn || !isStatus(error, 401)) return;
  const to = location.pathname.replace(/^\/dashboard/, '') + location.search;
  location.replace(`/dashboard/sign-in?${new URLSearchParams({ to, ended: '1' })}`);
}
