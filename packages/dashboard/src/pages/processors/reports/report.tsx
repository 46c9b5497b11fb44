import { Alert, Text } from '@mantine/core';
import { useDashboard } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { LinkButton } from '../../../parts/page/links.tsx';
import { useAddressSearch, useParameter } from '../../../parts/page/search.ts';
import { Section } from '../../../parts/record/section.tsx';
import { RecordFacts } from '../record-facts.tsx';
import { RecordFrame } from '../record-frame.tsx';
import { ReportLines } from './report-lines.tsx';
import type { ReportDetail } from './types.ts';

/** A settlement report: its numbers of rows, its sums, and the rows that the ledger does not explain. */
export function ProcessorReport() {
  const t = useTexts('processors');
  const id = useParameter('id');
  const [{ after }] = useAddressSearch();
  const page = after ? `?${new URLSearchParams({ after })}` : '';
  const query = useDashboard<{ data: ReportDetail }>(`operator/processor_reports/${id}${page}`);
  return (
    <RecordFrame
      query={query}
      list={{ to: '/operator/reports', title: t('reports') }}
      title={(report) => report?.name ?? t('report')}
    >
      {(report) => (
        <>
          {report.failure && (
            <Alert color="red" role="alert">
              {report.failure}
            </Alert>
          )}
          <Facts report={report} />
          <UnexplainedRows report={report} />
        </>
      )}
    </RecordFrame>
  );
}

interface Props {
  readonly report: ReportDetail;
}

function UnexplainedRows({ report }: Props) {
  const t = useTexts('processors');
  const { lines, next_line } = report;
  return (
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
  );
}

const COUNTS = ['settled', 'exceptions', 'waiting', 'unclear'] as const;

function Facts({ report }: Props) {
  const t = useTexts('processors');
  const { account, created_at, rows, sums } = report;
  return (
    <RecordFacts
      record={report}
      account={account}
      received_at={created_at}
      pairs={[
        { key: 'rows', term: t('report_rows'), value: rows.all },
        ...COUNTS.map((name) => ({ key: name, term: t(`report_${name}`), value: rows[name] })),
        ...sums.map(({ kind, amount }) => ({
          key: `${kind} ${amount}`,
          term: t.find(`sum_${kind}`) ?? kind,
          value: amount ?? '–',
        })),
      ]}
    />
  );
}
