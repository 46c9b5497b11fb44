import { type PaymentTab, tabParameters } from '@florin/contract/payment-tabs.ts';
import { SEARCH_HITS_MAX, SEARCH_TEXT_MAX } from '@florin/contract/search.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type FetchedPage, pageQuery } from '../../../api/queries.ts';
import { useCan, useScope } from '../../../api/scope.ts';
import { searchQuery } from '../../../api/search.ts';
import type { RecordOf, Resource } from '../../../api/types.ts';
import { includedByKey } from '../../../parts/table/column.ts';
import { READ_CARDS, READ_CUSTOMERS } from '../payment-columns.tsx';
import { mayMatchMore, type Search, searchesOf, searchesOfHits } from './searches.ts';

const FOUND_MAX = 100;
const NO_PARTS = { totals: {}, incomplete: [] };

/** Matching payments without duplicates, newest first. */
export interface FoundPayments {
  readonly searches: readonly Search[];
  readonly payments: readonly RecordOf<'payment_demands'>[];
  readonly included: ReadonlyMap<string, Resource>;
  readonly isPending: boolean;
  /** Whether more payments match than are shown. */
  readonly hasMore: boolean;
  /** Whether more may match, since the server could not compare all records in time. */
  readonly isIncomplete: boolean;
  readonly error: unknown;
  retry(): void;
}

interface PaymentSearch {
  readonly text: string;
  /** Tab whose payments are found; `all` finds incomplete ones too. */
  readonly tab: PaymentTab;
  readonly include: string;
}

/** Runs one query per interpretation of the text. */
export function usePaymentSearch({ text, tab, include }: PaymentSearch): FoundPayments {
  const scope = useScope();
  const parts = useQuery(searchQuery(scope, text.slice(0, SEARCH_TEXT_MAX), SEARCH_HITS_MAX));
  const isAllowed = useIsAllowed();
  const hits = parts.isPlaceholderData ? undefined : parts.data?.hits;
  const searches = useMemo(
    () => [...searchesOf(text).filter(isAllowed), ...searchesOfHits(hits ?? [])],
    [text, hits, isAllowed],
  );
  const answers = useQueries({
    queries: searches.map(({ filters }) =>
      pageQuery(scope, 'payment_demands', {
        ...filters,
        ...(tab !== 'all' && tabParameters({ tab })),
        include,
        'page[size]': String(FOUND_MAX),
      }),
    ),
  });
  const pages = answers.map(({ data }) => data);
  const { isMinimum, isIncomplete } = mayMatchMore(parts.data ?? NO_PARTS);
  return {
    searches,
    payments: mergeResults(searches, pages),
    included: includedByKey(pages.flatMap((page) => page?.included ?? [])),
    isPending:
      answers.some(({ isPending }) => isPending) || parts.isLoading || parts.isPlaceholderData,
    hasMore: isMinimum || isIncomplete || pages.some((page) => page?.links?.next),
    isIncomplete,
    error: [parts, ...answers].find(({ error }) => error)?.error,
    retry: () => void Promise.all([parts, ...answers].map(({ refetch }) => refetch())),
  };
}

/** Returns whether the person may filter by the records of a search. */
function useIsAllowed(): (search: Search) => boolean {
  const can = useCan();
  const mayRead = { email: can(READ_CUSTOMERS), last_four: can(READ_CARDS) };
  return useCallback(
    ({ kind }) =>
      (kind !== 'email' || mayRead.email) && (kind !== 'last_four' || mayRead.last_four),
    [mayRead.email, mayRead.last_four],
  );
}

function mergeResults(
  searches: readonly Search[],
  pages: readonly (FetchedPage<'payment_demands'> | undefined)[],
): readonly RecordOf<'payment_demands'>[] {
  const matches = searches.flatMap(
    ({ fits }, index) => pages[index]?.data.filter(({ attributes }) => fits(attributes)) ?? [],
  );
  const once = new Map(matches.map((payment) => [payment.id, payment]));
  const timeOf = ({ attributes }: RecordOf<'payment_demands'>) => attributes.created_at ?? '';
  return [...once.values()].toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)));
}
