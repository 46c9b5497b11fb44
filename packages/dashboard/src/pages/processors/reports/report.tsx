import { Alert, Breadcrumbs, Stack, Text } from '@mantine/core';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { LinkButton, ScopedLink } from '../../../parts/page/links.tsx';
import { PageTitle } from '../../../parts/page/page-title.tsx';
import { useAddressSearch, useParameter } from '../../../parts/page/search.ts';
import { DefinitionPairs } from '../../../parts/record/definition-pairs.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Id } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { ReportLines } from './report-lines.tsx';
import type { ReportDetail } from './types.ts';

/** A settlement report: its sums, and the rows that the ledger does not explain. */
export function ProcessorReport() {
  const t = useTexts('processors');
  const id = useParameter('id');
  const [{ after }] = useAddressSearch();
  const page = after ? `?${new URLSearchParams({ after })}` : '';
  const query = useDashboard<{ data: ReportDetail }>(`operator/processor_reports/${id}${page}`);
  const report = query.data?.data;
  return (
    <>
      <Breadcrumbs mb="xs">
        <ScopedLink to="/operator/reports">{t('reports')}</ScopedLink>
      </Breadcrumbs>
      <PageTitle
        title={report?.name ?? t('report')}
        aside={report && <StateBadge state={report.status} />}
      />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {report && <Parts report={report} />}
    </>
  );
}

interface Props {
  readonly report: ReportDetail;
}

function Parts({ report }: Props) {
  const t = useTexts('processors');
  const { failure, lines, next_line } = report;
  return (
    <Stack gap="lg">
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Facts report={report} />
      <Section title={t('report_lines')}>
        <Text size="sm" c="dimmed" mb="md">
          {t('report_lines_text')}
        </Text>
        {lines.length > 0 ? (
          <ReportLines report={report} />
        ) : (
          <Text size="sm">{t('no_report_lines')}</Text>
        )}
        {next_line !== null && (
          <LinkButton
            to={`/operator/reports/${report.id}`}
            search={{ after: String(next_line) }}
            variant="default"
            mt="md"
          >
            {t('next_rows')}
          </LinkButton>
        )}
      </Section>
    </Stack>
  );
}

function Facts({ report }: Props) {
  const t = useTexts('processors');
  const { id, processor_account_id, account, mode, created_at, sums } = report;
  return (
    <Section title={t('overview')}>
      <DefinitionPairs
        pairs={[
          {
            key: 'account',
            term: t('account'),
            value: (
              <ScopedLink to={`/operator/processors/${processor_account_id}`}>{account}</ScopedLink>
            ),
          },
          { key: 'mode', term: t('mode'), value: t(mode) },
          { key: 'received', term: t('received'), value: <Instant at={created_at} seconds /> },
          ...sums.map(({ kind, amount }) => ({
            key: `${kind} ${amount}`,
            term: t.find(`sum_${kind}`) ?? kind,
            value: amount ?? '–',
          })),
          { key: 'id', term: t('id'), value: <Id value={id} /> },
        ]}
      />
    </Section>
  );
}
