import { Anchor, Button, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Copyable } from '../../../parts/value/copyable.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { OrderDialog } from '../../operator/order-dialog.tsx';
import { useActionDialog } from '../../operator/use-action-dialog.ts';
import { WideTable } from '../../operator/wide-table.tsx';
import type { ReportDetail, ReportLine } from './types.ts';

const NARROWEST_PX = 560;

/** Rows that the ledger does not explain, with the reason and what an operator did or does. */
export function ReportLines({ report }: { readonly report: ReportDetail }) {
  const t = useTexts('processors');
  const names = useNames();
  const { subject, isOpen, ask, close } = useActionDialog<ReportLine>();
  const columns = [t('row'), t('amount'), t('reason'), t('key'), t('state'), t('actions')];
  return (
    <>
      <WideTable label={t('report_lines')} minWidth={NARROWEST_PX} columns={columns}>
        {report.lines.map((line) => (
          <Table.Tr key={line.line}>
            <Table.Td>{line.line}</Table.Td>
            <Table.Td>{line.amount ?? '–'}</Table.Td>
            <Table.Td>
              {line.exception_kind ? names.value(line.exception_kind) : line.reason}
            </Table.Td>
            <Table.Td>
              <Reference line={line} />
            </Table.Td>
            <Table.Td>
              <State line={line} />
            </Table.Td>
            <Table.Td>
              <Action line={line} ask={ask} />
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
      {subject && (
        <OrderDialog
          key={subject.line}
          isOpen={isOpen}
          onClose={close}
          title={t('acknowledge')}
          text={t('acknowledge_text')}
          path={`processor_reports/${report.id}/lines/${subject.line}/acknowledge`}
        />
      )}
    </>
  );
}

interface Props {
  readonly line: ReportLine;
}

function Reference({ line: { processor_reference, authorisation_reference } }: Props) {
  const reference = processor_reference ?? authorisation_reference;
  return reference ? <Copyable value={reference} /> : '–';
}

/** Rows without a settlement exception are unclear until an operator acknowledges them. */
function State({ line }: Props) {
  if (line.acknowledged_at === null)
    return <StateBadge state={isUnclear(line) ? 'unclear' : (line.exception_status ?? 'open')} />;
  return (
    <>
      <StateBadge state="acknowledged" />
      <Text size="sm">{line.acknowledgement}</Text>
      <Text size="xs" c="dimmed">
        {line.acknowledged_by_email ?? '–'} · <Instant at={line.acknowledged_at} seconds />
      </Text>
    </>
  );
}

const isUnclear = ({ outcome }: ReportLine): boolean =>
  outcome === 'unmatched' || outcome === 'quarantined';

function Action({ line, ask }: Props & { readonly ask: (line: ReportLine) => void }) {
  const t = useTexts('processors');
  if (isUnclear(line) && line.acknowledged_at === null)
    return (
      <Button
        size="xs"
        variant="default"
        aria-label={`${t('acknowledge')}: ${t('row')} ${line.line}`}
        onClick={() => ask(line)}
      >
        {t('acknowledge')}
      </Button>
    );
  if (!line.exception) return undefined;
  return (
    <Anchor
      component={Link}
      fz="inherit"
      to={`/${line.merchant_id}/${line.mode}/records/settlement_exceptions/${line.exception}`}
    >
      {t('open_exception')}
    </Anchor>
  );
}
