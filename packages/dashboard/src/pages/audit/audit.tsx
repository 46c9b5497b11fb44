import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import type { Parameters } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAddressSearch } from '../../parts/page/search.ts';
import { PhoneFilters } from '../../parts/table/filter/phone-filters.tsx';
import { localDay } from '../payments/list/days.ts';
import { AuditFilters } from './audit-filters.tsx';
import { auditParameters, hasAuditFilters } from './audit-search.ts';
import { AuditTable, type Entry } from './audit-table.tsx';

interface Page {
  readonly data: readonly Entry[];
  readonly next: string | null;
}

/** Actions of the merchant's members. The address holds the filters. */
export function Audit() {
  const t = useTexts('audit');
  const [search, change] = useAddressSearch();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useAudit(auditParameters(search, localDay(new Date())));
  const entries = data?.pages.flatMap((page) => page.data) ?? [];
  const hasFilters = hasAuditFilters(search);
  return (
    <>
      <PageTitle title={t('title')} />
      <PhoneFilters>
        <AuditFilters search={search} change={change} />
      </PhoneFilters>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && entries.length === 0 && (
        <EmptyState
          title={hasFilters ? t('filtered') : t('none')}
          {...(!hasFilters && { hint: t('none_hint') })}
        />
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {hasNextPage && (
        <Button
          variant="default"
          mt="sm"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </>
  );
}

function useAudit(filters: Parameters) {
  const scope = useScope();
  return useInfiniteQuery({
    queryKey: ['dashboard', scope.merchant, scope.mode, 'audit', filters],
    queryFn: ({ pageParam, signal }) => {
      const entries = Object.entries({ ...filters, after: pageParam }).filter(([, value]) => value);
      const query = new URLSearchParams(entries as [string, string][]).toString();
      return callDashboard<Page>(`audit_entries${query && `?${query}`}`, { signal, scope });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}
