import { Text } from '@mantine/core';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { PagedTable } from '../../operator/paged-table.tsx';
import type { CountedReport } from './types.ts';

/** Settlement reports of all accounts, newest first, with what needs an operator. A report's page has all numbers. */
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
          { title: t('report_exceptions'), cell: ({ exceptions }) => exceptions },
          { title: t('account'), cell: (report) => <Account report={report} /> },
          { title: t('received'), cell: ({ created_at }) => <Instant at={created_at} seconds /> },
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

interface Props {
  readonly report: CountedReport;
}

function Name({ report: { id, name, failure } }: Props) {
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

function Account({ report: { account, mode } }: Props) {
  const t = useTexts('processors');
  return (
    <>
      {account}
      <Text size="xs" c="dimmed">
        {t(mode)}
      </Text>
    </>
  );
}
