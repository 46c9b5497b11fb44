import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { callInterface } from './client.ts';
import { addressOf, keyOf, type Page, type Parameters } from './queries.ts';
import { useScope } from './scope.ts';
import type { Document, ResourceType } from './types.ts';

export const PAGE_SIZE = 50;
/** More of a list is not held: what is further away is read again when somebody comes back to it. */
export const PAGES_HELD_MAX = 5;
/** A list that was read further than this is not read again unasked. */
const PAGES_REFRESHED_MAX = 2;

/** A page of a list, and the place of its first row in the list as it was read; below 0 where rows have come before it. */
export type ListPage<T extends ResourceType> = Page<T> & { readonly start: number };

/** Where a page is read, and the place of its first row or that after its last one. */
export interface Spot {
  readonly path: string;
  readonly start?: number;
  readonly end?: number;
}

/** The path of a link to another page; undefined where there is none. */
function pathOf({ links }: Document<unknown>, name: 'next' | 'prev'): string | undefined {
  const link = links?.[name];
  const href = typeof link === 'string' ? link : link?.href;
  if (!href) return undefined;
  const { pathname, search } = new URL(href, location.origin);
  return pathname + search;
}

/** The address of the page that follows; undefined at the end. */
export const nextOf = (page: Document<unknown>): string | undefined => pathOf(page, 'next');

function spotAfter<T extends ResourceType>(page: ListPage<T>): Spot | undefined {
  const path = nextOf(page);
  return path === undefined ? undefined : { path, start: page.start + page.data.length };
}

function spotBefore<T extends ResourceType>(page: ListPage<T>): Spot | undefined {
  const path = pathOf(page, 'prev');
  return path === undefined ? undefined : { path, end: page.start };
}

/** How a list is read, a page at a time. */
function useReading<T extends ResourceType>(type: T, parameters: Parameters) {
  const scope = useScope();
  const first: Spot = {
    path: addressOf(type, { 'page[size]': String(PAGE_SIZE), ...parameters }),
    start: 0,
  };
  const read = async ({ path, start, end = 0 }: Spot, signal?: AbortSignal) => {
    const options = signal ? { signal } : {};
    const { document } = await callInterface<Page<T>>(scope, path, options);
    return { ...document, start: start ?? end - document.data.length };
  };
  return { queryKey: keyOf(scope, type, 'list', parameters), first, read };
}

/**
 * A list, page by page, newest first unless it is sorted. `parameters` may filter, sort and include. Pages that are far
 * from the one that was read last are let go.
 */
export function useList<T extends ResourceType>(type: T, parameters: Parameters = {}) {
  const { queryKey, first, read } = useReading(type, parameters);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<ListPage<T>> => read(pageParam, signal),
    initialPageParam: first,
    getNextPageParam: spotAfter,
    getPreviousPageParam: spotBefore,
    maxPages: PAGES_HELD_MAX,
    structuralSharing: false,
    refetchOnWindowFocus: ({ state }) =>
      ((state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) <= PAGES_REFRESHED_MAX,
  });
}

/** Goes to a part of the list that is not held: whatever else was held of it is let go. */
export function useSeek<T extends ResourceType>(type: T, parameters: Parameters = {}) {
  const { queryKey, first, read } = useReading(type, parameters);
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (spot: Spot | undefined) => {
      const pageParam = spot ?? first;
      const page = await read(pageParam);
      queries.setQueryData(queryKey, { pages: [page], pageParams: [pageParam] });
    },
  });
}
