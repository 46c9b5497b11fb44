import { SEARCH_HITS, SEARCH_TEXT_MIN, type SearchResults } from '@florin/contract/search.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callDashboard } from './client.ts';
import type { Scope } from './types.ts';

const CACHED_MS = 10_000;

/** Query for records by a part of a name, email, reference, amount or id. Too short a text asks nothing. `hits` of each type. */
export const searchQuery = (scope: Scope | undefined, text: string, hits = SEARCH_HITS) =>
  queryOptions({
    queryKey: ['dashboard', scope?.merchant, scope?.mode, 'search', text, hits],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ q: text, hits: String(hits) });
      return callDashboard<SearchResults>(`search?${query}`, { scope, signal });
    },
    enabled: scope !== undefined && text.length >= SEARCH_TEXT_MIN,
    placeholderData: keepPreviousData,
    staleTime: CACHED_MS,
    retry: false,
  });
