import { Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { PagedTable } from '../../operator/paged-table.tsx';
import type { CountedReport } from './types.ts';

/** Settlement reports of all accounts, newest first. */
export function ProcessorReports() {
  const t = useTexts('processors');
  return (
    <>
      <PageTitle title={t('reports')} />
      <PagedTable<CountedReport>
        path="processor_reports"
        label={t('reports')}
        empty={{ title: t('no_reports'), hint: t('no_reports_hint') }}
        columns={[
          { title: t('report'), cell: (report) => <Name report={report} /> },
          { title: t('state'), cell: ({ status }) => <StateBadge state={status} /> },
          { title: t('report_unclear'), cell: ({ unclear }) => unclear },
          { title: t('account'), cell: ({ account }) => account },
          { title: t('mode'), cell: ({ mode }) => t(mode) },
          { title: t('received'), cell: ({ created_at }) => <Instant at={created_at} seconds /> },
          { title: t('report_rows'), cell: ({ lines }) => lines },
          { title: t('report_settled'), cell: ({ settled }) => settled },
          { title: t('report_exceptions'), cell: ({ exceptions }) => exceptions },
          { title: t('report_waiting'), cell: ({ waiting }) => waiting },
        ]}
      />
    </>
  );
}

const START_CHARS = 10;
const END_CHARS = 16;

/** Start and end of a long name: the end has the number or day that tells reports apart. */
const shortNameOf = (name: string): string =>
  name.length > START_CHARS + END_CHARS + 1
    ? `${name.slice(0, START_CHARS)}…${name.slice(-END_CHARS)}`
    : name;

function Name({ report: { id, name, failure } }: { readonly report: CountedReport }) {
  return (
    <>
      <span title={name}>
        <ScopedLink to={`/operator/reports/${id}`}>{shortNameOf(name)}</ScopedLink>
      </span>
      {failure && (
        <Text size="xs" c="var(--mantine-color-error)">
          {failure}
        </Text>
      )}
    </>
  );
}
