import { useInfiniteQuery } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import type { Parameters } from '../../api/queries.ts';

/** A page of a list, with the cursor of the next page. */
interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next: string | null;
  /** Cells that did not answer, where a router joins the pages of several. */
  readonly missing_cells?: readonly string[];
}

/**
 * Reads a list below `/dashboard/api/operator/` page by page. With `refresh_ms`, the pages that are shown are read again
 * in this interval.
 */
export function usePages<Row>(path: string, parameters: Parameters = {}, refresh_ms?: number) {
  const list = useInfiniteQuery({
    queryKey: ['dashboard', 'operator', path, parameters],
    queryFn: ({ pageParam, signal }) => {
      const entries = Object.entries({ ...parameters, after: pageParam });
      const query = new URLSearchParams(entries.filter(([, value]) => value !== ''));
      return callDashboard<ListPage<Row>>(`operator/${path}?${query}`, { signal });
    },
    refetchInterval: refresh_ms ?? false,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const pages = list.data?.pages ?? [];
  return {
    list,
    rows: pages.flatMap(({ data }) => data),
    missing_cells: [...new Set(pages.flatMap(({ missing_cells = [] }) => missing_cells))],
  };
}
