import { Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { CreateDialog } from '../../../parts/form/create-dialog.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Instant } from '../../../parts/value/instant.tsx';
import { StateBadge } from '../../../parts/value/state-badge.tsx';
import { usePolledList } from '../use-polled-list.ts';

const FIELDS = ['dry_run', 'since', 'until', 'events', 'delivery_statuses', 'resource_id'];
const DAY_MS = 86_400_000;

type Replay = RecordOf<'webhook_replays'>;
const isBusy = ({ attributes }: Replay): boolean => attributes.status === 'pending';

/** Delivers the events of a period to a subscription again. A preview counts them first. */
export function Replays({ id }: { readonly id: string }) {
  const t = useTexts('developers');
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const replays = usePolledList(
    'webhook_replays',
    { 'filter[webhook_subscription]': id, 'page[size]': '10' },
    isBusy,
  );
  const button = can('developer.webhook_replays.create') && (
    <Button variant="default" size="xs" onClick={() => setOpen(true)}>
      {t('replay_new')}
    </Button>
  );
  return (
    <Section title={t('replays')} actions={button}>
      <Stack gap="xs">
        <Text size="sm">{t('replays_hint')}</Text>
        {replays.error && (
          <ProblemAlert error={replays.error} onRetry={() => void replays.refetch()} />
        )}
        {replays.data && replays.data.length > 0 && <ReplayTable replays={replays.data} />}
      </Stack>
      <CreateDialog
        type="webhook_replays"
        title={t('replay_new')}
        only={FIELDS}
        preset={{ dry_run: true, since: new Date(Date.now() - DAY_MS).toISOString() }}
        links={{ webhook_subscription: id }}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </Section>
  );
}

function ReplayTable({ replays }: { readonly replays: readonly Replay[] }) {
  const t = useTexts('developers');
  const names = useNames();
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={t('replays')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{names.field('status')}</Table.Th>
            <Table.Th scope="col">{t('replay_since')}</Table.Th>
            <Table.Th scope="col">{t('replay_matched')}</Table.Th>
            <Table.Th scope="col">{t('replay_queued')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody aria-live="polite">
          {replays.map((replay) => (
            <ReplayRow key={replay.id} replay={replay} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ReplayRow({ replay }: { readonly replay: Replay }) {
  const t = useTexts('developers');
  const { status, since, dry_run, matched_count, queued_count } = replay.attributes;
  return (
    <Table.Tr>
      <Table.Td>
        <StateBadge state={status} />
        {status === 'pending' && (
          <ProgressBar label={t('replay_running')} done={matched_count} total={undefined} />
        )}
      </Table.Td>
      <Table.Td>
        <Instant at={since} />
      </Table.Td>
      <Table.Td>{matched_count}</Table.Td>
      <Table.Td>{dry_run ? t('replay_dry') : queued_count}</Table.Td>
    </Table.Tr>
  );
}
