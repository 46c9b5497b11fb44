import { Stack } from '@mantine/core';
import { type ToggleEvent, useState } from 'react';
import type { FetchedRecord } from '../../../api/queries.ts';
import type { Resource } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { RecordView } from '../../../parts/record/record-view.tsx';
import { Section } from '../../../parts/record/section.tsx';
import { Timeline } from '../../../parts/record/timeline.tsx';
import { AttemptList } from './attempt-list.tsx';
import { historyOf } from './history.ts';
import { shownInItems } from './items.tsx';
import { useTechnicalTimeline } from './technical-entries.tsx';
import { useDetails } from './use-details.ts';

interface Props {
  readonly fetched: FetchedRecord<'payment_demands'>;
}

/** Events, ledger, attempts, raw codes and all fields, for people who look for a fault. Read when it is opened. */
export function TechnicalDetails({ fetched }: Props) {
  const records = useTexts('records');
  const [isOpen, setIsOpen] = useState(false);
  const onToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) =>
    setIsOpen(currentTarget.open);
  return (
    <Section title={records('technical')} isCollapsed onToggle={onToggle}>
      {isOpen && <Content fetched={fetched} />}
    </Section>
  );
}

function Content({ fetched: { record, included } }: Props) {
  const t = useTexts('payments');
  const history = historyOf(included);
  const details = useDetails(record.id, history);
  const entries = useTechnicalTimeline(record, history, details);
  return (
    <Stack gap="lg" mt="md">
      {details.error != null && <ProblemAlert error={details.error} onRetry={details.retry} />}
      <Section title={t('technical_timeline')}>
        {details.isPending ? (
          <Loading />
        ) : (
          <Timeline entries={entries} label={t('technical_timeline')} seconds />
        )}
      </Section>
      <AttemptList attempts={history.attempts} />
      <RecordView record={record as Resource} without={shownInItems} />
    </Stack>
  );
}
