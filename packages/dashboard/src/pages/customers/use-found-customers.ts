import {
  isListedHit,
  SEARCH_HITS_MAX,
  SEARCH_TEXT_MAX,
  SEARCH_TEXT_MIN,
} from '@florin/contract/search.ts';
import { useQuery } from '@tanstack/react-query';
import { useScope } from '../../api/scope.ts';
import { searchQuery } from '../../api/search.ts';

/** Customers that match a text, newest first, without merged ones. */
export interface FoundCustomers {
  /** At most `SEARCH_HITS_MAX`. */
  readonly ids: readonly string[];
  /** Whether more customers may match. */
  readonly hasMore: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  retry(): void;
}

/** Finds customers by a part of the name, email address or telephone number, or by id. Short texts find none. */
export function useFoundCustomers(typed: string): FoundCustomers {
  const text = typed.trim().slice(0, SEARCH_TEXT_MAX);
  const isSearched = text.length >= SEARCH_TEXT_MIN;
  const query = useQuery(searchQuery(useScope(), text, SEARCH_HITS_MAX));
  const { data, isPlaceholderData, isLoading, error, refetch } = query;
  const customers = (data?.hits ?? []).filter(
    (hit) => hit.type === 'customers' && isListedHit(hit),
  );
  return {
    ids: (isSearched ? customers : []).map(({ id }) => id),
    hasMore:
      (data?.totals.customers?.is_minimum ?? false) ||
      Boolean(data?.incomplete.includes('customers')),
    isPending: isSearched && (isLoading || isPlaceholderData),
    error: isSearched ? error : undefined,
    retry: () => void refetch(),
  };
}
