import { useMemo, useRef } from 'react';
import { type ListPage, PAGE_SIZE, type PageStart, useList, useSeek } from '../../api/list.ts';
import type { Parameters } from '../../api/queries.ts';
import type { RecordOf, Resource, ResourceType } from '../../api/types.ts';
import { includedByKey } from './column.ts';
import { type ListWindow, wantedFor, windowOf } from './list-window.ts';

/** Rows in memory, and functions that load more. */
export interface ListRows<T extends ResourceType> extends ListWindow {
  readonly records: readonly RecordOf<T>[];
  readonly included: ReadonlyMap<string, Resource>;
  /** Whether the list may have more than `count` rows. */
  readonly hasMore: boolean;
  readonly isReading: boolean;
  /** Whether rows outside of the window are loading. */
  readonly isAdding: boolean;
  /** Loads pages for the rows in view. Does nothing while a load is in progress. */
  see(first: number, last: number): void;
}

/** A list with a few pages in memory, around the rows in view. */
export function useListWindow<T extends ResourceType>(type: T, parameters: Parameters) {
  const list = useList(type, parameters, { keepsSearch: true });
  const seek = useSeek(type, parameters);
  const pages = list.data?.pages;
  const knownPages = useKnownPages(
    JSON.stringify([type, parameters]),
    list.isPlaceholderData ? undefined : list.data,
  );
  const records = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages]);
  const includedRecords = useMemo(
    () => includedByKey(pages?.flatMap((page) => page.included ?? []) ?? []),
    [pages],
  );
  const sides = { hasPrevious: list.hasPreviousPage, hasNext: list.hasNextPage };
  const window = windowOf({
    ...sides,
    start: pages?.[0]?.start ?? 0,
    rows: records.length,
    lastPosition: knownPages.lastPosition,
  });
  const isReading = list.isFetching || seek.isPending;
  const error = list.error ?? seek.error;
  const see = (first: number, last: number) => {
    if (isReading || error) return;
    const { offset, shift } = window;
    const direction = wantedFor(
      { first, last },
      { ...sides, offset, rows: records.length, far: PAGE_SIZE },
    );
    if (direction === 'next') void list.fetchNextPage();
    if (direction === 'previous') void list.fetchPreviousPage();
    if (direction === 'elsewhere') seek.mutate(pageStartFor(knownPages.pageStarts, first - shift));
  };
  const rows: ListRows<T> = {
    ...window,
    records,
    included: includedRecords,
    hasMore: list.hasNextPage,
    isReading,
    isAdding: list.isFetchingNextPage || list.isFetchingPreviousPage || seek.isPending,
    see,
  };
  const retry = () => {
    seek.reset();
    void list.refetch();
  };
  return { list, rows, error, retry };
}

/** Returns the page that contains a position, or the nearest known page before it. */
function pageStartFor(
  pageStarts: ReadonlyMap<number, PageStart>,
  position: number,
): PageStart | undefined {
  const starts = [...pageStarts.keys()].filter((start) => start <= position);
  return pageStarts.get(Math.max(...starts));
}

interface KnownPages {
  readonly key: string;
  /** Path of each page, by the position of its first row. */
  readonly pageStarts: Map<number, PageStart>;
  lastPosition: number;
}

interface Pages<T extends ResourceType> {
  readonly pages: readonly ListPage<T>[];
  readonly pageParams: readonly unknown[];
}

/** Stores where a list's pages begin, without their contents. */
function useKnownPages<T extends ResourceType>(
  key: string,
  data: Pages<T> | undefined,
): KnownPages {
  const ref = useRef<KnownPages>({ key, pageStarts: new Map(), lastPosition: 0 });
  if (ref.current.key !== key) ref.current = { key, pageStarts: new Map(), lastPosition: 0 };
  const knownPages = ref.current;
  data?.pages.forEach(({ start, data: rows }, at) => {
    const { path } = data.pageParams[at] as PageStart;
    knownPages.pageStarts.set(start, { path, start });
    knownPages.lastPosition = Math.max(knownPages.lastPosition, start + rows.length);
  });
  return knownPages;
}
