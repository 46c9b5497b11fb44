import { Breadcrumbs, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { useDashboard } from '../../api/queries.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';

interface Props<Data> {
  readonly query: ReturnType<typeof useDashboard<{ data: Data }>>;
  /** The list that the page belongs to. */
  readonly list: { readonly to: string; readonly title: string };
  readonly title: (data: Data | undefined) => string;
  readonly actions?: (data: Data) => ReactNode;
  /** Parts of the page, one below the other. */
  readonly children: (data: Data) => ReactNode;
}

/** Page of a processor's report or notification: the way back, its state, and its parts once it is read. */
export function RecordFrame<Data extends { readonly status: string }>({
  query,
  list,
  title,
  actions,
  children,
}: Props<Data>) {
  const data = query.data?.data;
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to={list.to}>{list.title}</ScopedLink>
      </Breadcrumbs>
      <PageTitle
        title={title(data)}
        aside={data && <StateBadge state={data.status} />}
        actions={data && actions?.(data)}
      />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {data && <Stack gap="lg">{children(data)}</Stack>}
    </>
  );
}
