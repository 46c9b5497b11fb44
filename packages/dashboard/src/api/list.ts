import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { callInterface } from './client.ts';
import { type FetchedPage, keyOf, listAddressOf, type Parameters } from './queries.ts';
import { useScope } from './scope.ts';
import type { Document, ResourceType } from './types.ts';

export const PAGE_SIZE = 50;
/** Maximum pages of a list in memory. Pages further away are read again when the person scrolls to them. */
export const PAGES_HELD_MAX = 5;
/** Pages above which a list is not refreshed in the background. */
const PAGES_REFRESHED_MAX = 2;

/** A page of a list with the position of its first row. The position is negative for rows added before the first. */
export type ListPage<T extends ResourceType> = FetchedPage<T> & { readonly start: number };

/** Path of a page, with the position of its first row or the position after its last. */
export interface PageStart {
  readonly path: string;
  readonly start?: number;
  readonly end?: number;
}

/** Returns the path of a page's `next` or `prev` link, or undefined. */
function pathOf({ links }: Document<unknown>, name: 'next' | 'prev'): string | undefined {
  const link = links?.[name];
  const href = typeof link === 'string' ? link : link?.href;
  if (!href) return undefined;
  const { pathname, search } = new URL(href, location.origin);
  return pathname + search;
}

/** Returns the path of the next page, or undefined at the end. */
export const nextOf = (page: Document<unknown>): string | undefined => pathOf(page, 'next');

function nextPageStart<T extends ResourceType>(page: ListPage<T>): PageStart | undefined {
  const path = nextOf(page);
  return path === undefined ? undefined : { path, start: page.start + page.data.length };
}

function previousPageStart<T extends ResourceType>(page: ListPage<T>): PageStart | undefined {
  const path = pathOf(page, 'prev');
  return path === undefined ? undefined : { path, end: page.start };
}

function useReading<T extends ResourceType>(type: T, parameters: Parameters) {
  const scope = useScope();
  const firstPage: PageStart = {
    path: listAddressOf(type, { 'page[size]': String(PAGE_SIZE), ...parameters }),
    start: 0,
  };
  const read = async ({ path, start, end = 0 }: PageStart, signal?: AbortSignal) => {
    const options = signal ? { signal } : {};
    const { document } = await callInterface<FetchedPage<T>>(scope, path, options);
    return { ...document, start: start ?? end - document.data.length };
  };
  return { queryKey: keyOf(scope, type, 'list', parameters), first: firstPage, read };
}

/** Parameters of a search. Lists that differ only in them show the rows of the earlier one until theirs are read. */
const SEARCHED: ReadonlySet<string> = new Set(['q', 'filter[id]']);

/** Whether two keys of `useReading` are of the same list, apart from its search. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  const rest = (key: readonly unknown[]) =>
    key.map((part) =>
      typeof part === 'object' && part !== null
        ? Object.entries(part)
            .filter(([name]) => !SEARCHED.has(name))
            .toSorted()
        : part,
    );
  return JSON.stringify(rest(one)) === JSON.stringify(rest(other));
}

/**
 * Reads a list page by page, newest first unless `parameters` sort. Pages far from the last page read are dropped.
 */
export function useList<T extends ResourceType>(
  type: T,
  parameters: Parameters = {},
  /** Returns the rows of an earlier search as placeholder data, which nobody may choose. */
  { keepsSearch = false } = {},
) {
  const { queryKey, first, read } = useReading(type, parameters);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<ListPage<T>> => read(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: nextPageStart,
    getPreviousPageParam: previousPageStart,
    maxPages: PAGES_HELD_MAX,
    structuralSharing: false,
    placeholderData: (earlier, query) =>
      keepsSearch && query && isSameList(query.queryKey, queryKey) ? earlier : undefined,
    refetchOnWindowFocus: ({ state }) =>
      ((state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) <= PAGES_REFRESHED_MAX,
  });
}

/** Jumps to a position of the list that is not in memory, and drops all other pages. */
export function useSeek<T extends ResourceType>(type: T, parameters: Parameters = {}) {
  const { queryKey, first, read } = useReading(type, parameters);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (pageStart: PageStart | undefined) => {
      const pageParam = pageStart ?? first;
      const page = await read(pageParam);
      // A refresh that began meanwhile would replace the page with those from before the jump.
      await queries.cancelQueries({ queryKey, exact: true });
      queries.setQueryData(queryKey, { pages: [page], pageParams: [pageParam] });
    },
  });
}
