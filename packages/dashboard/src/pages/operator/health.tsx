import { Button, Stack, Table } from '@mantine/core';
import { useDashboard } from '../../api/queries.ts';
import { sizeText } from '../../i18n/format-text.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { DefinitionPairs } from '../../parts/record/definition-pairs.tsx';
import { Section } from '../../parts/record/section.tsx';
import { durationText, elapsedText } from '../../parts/value/quantity.ts';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { RefusedKeys } from './refused-keys.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import type { Health, Queue } from './types.ts';
import { useActionDialog } from './use-action-dialog.ts';
import { WideTable } from './wide-table.tsx';
import { Workers } from './workers.tsx';

/** Delay in seconds above which due work counts as stuck. */
const LATE_SECONDS = 60;

/** Health of the installation. */
export function OperatorHealth() {
  const t = useTexts('operator');
  const query = useDashboard<Health>('operator/health');
  const health = query.data;
  return (
    <>
      <PageTitle
        title={t('health')}
        actions={
          <Button
            variant="default"
            loading={query.isRefetching}
            onClick={() => void query.refetch()}
          >
            {t('look_again')}
          </Button>
        }
      />
      {query.error && <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {health && (
        <Stack gap="lg">
          <RestoredNotice health={health} />
          <RefusedKeys health={health} />
          <Facts health={health} />
          <Queues health={health} />
          <Workers loops={health.loops} />
        </Stack>
      )}
    </>
  );
}

const MINUTE_SECONDS = 60;
/** Uptime without its seconds, once a minute is over. */
const wholeMinutes = (seconds: number): number =>
  seconds < MINUTE_SECONDS ? Math.floor(seconds) : seconds - (seconds % MINUTE_SECONDS);

function Facts({ health: { process, database, unknown_outcomes } }: { readonly health: Health }) {
  const t = useTexts('operator');
  const locale = useLocale();
  const number = new Intl.NumberFormat(locale);
  const { under_1h, from_1h_to_24h, over_24h } = unknown_outcomes;
  const facts: readonly (readonly [string, string])[] = [
    [t('version'), `Node ${process.node} · PostgreSQL ${database.version}`],
    [t('uptime'), durationText(wholeMinutes(process.uptime_seconds), locale)],
    [t('memory'), sizeText(process.memory_bytes, locale)],
    [t('database_size'), sizeText(database.bytes, locale)],
    [t('connections'), `${database.connections} / ${database.connections_max}`],
    [t('oldest_transaction'), elapsedText(database.oldest_transaction_seconds * 1_000, locale)],
    [t('migrations'), number.format(database.migrations)],
    [t('unknown'), t('unknown_ages', { under_1h, from_1h_to_24h, over_24h })],
  ];
  return (
    <Section title={t('installation')}>
      <DefinitionPairs pairs={facts.map(([term, value]) => ({ key: term, term, value }))} />
    </Section>
  );
}

function Queues({ health }: { readonly health: Health }) {
  const t = useTexts('operator');
  const { subject, isOpen, ask, close } = useActionDialog<Queue>();
  return (
    <Section title={t('queues')}>
      <WideTable
        label={t('queues')}
        minWidth={560}
        columns={[t('queue'), t('due'), t('late'), t('state'), t('actions')]}
      >
        {health.queues.map((queue) => (
          <QueueRow key={queue.name} queue={queue} max={health.queued_counted_max} run={ask} />
        ))}
      </WideTable>
      {subject && (
        <OrderDialog
          isOpen={isOpen}
          isPlain
          onClose={close}
          title={t('run_now')}
          text={t('run_now_text')}
          path={`queues/${subject.name}/run`}
        />
      )}
    </Section>
  );
}

interface RowProps {
  readonly queue: Queue;
  readonly max: number;
  readonly run: (queue: Queue) => void;
}

function QueueRow({ queue, max, run }: RowProps) {
  const t = useTexts('operator');
  const names = useNames();
  const number = new Intl.NumberFormat(useLocale());
  const { name, due, late_seconds, can_run } = queue;
  const state = stateOf(queue);
  return (
    <Table.Tr>
      <Table.Td>{names.type(name)}</Table.Td>
      <Table.Td>{`${number.format(due)}${due >= max ? '+' : ''}`}</Table.Td>
      <Table.Td>{late_seconds > 0 ? `${number.format(late_seconds)} s` : '–'}</Table.Td>
      <Table.Td>
        <StateBadge {...state} />
      </Table.Td>
      <Table.Td>
        {can_run && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${t('run_now')}: ${names.type(name)}`}
            onClick={() => run(queue)}
          >
            {t('run_now')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function stateOf({ due, late_seconds }: Queue) {
  if (due === 0) return { state: 'idle', tone: 'good' } as const;
  return late_seconds > LATE_SECONDS
    ? ({ state: 'late', tone: 'bad' } as const)
    : ({ state: 'busy', tone: 'busy' } as const);
}
