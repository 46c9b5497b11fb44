import {
  type NotificationChannel,
  type NotificationChoice,
  type NotificationChoices,
  type NotificationKind,
  notificationChannels,
} from '@florin/contract/member-notifications.ts';
import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useDashboard, useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { Section } from '../../parts/record/section.tsx';
import { SimpleTable } from '../../parts/table/simple-table.tsx';

interface Choice {
  readonly kind: NotificationKind;
  readonly channel: NotificationChannel;
  readonly on: boolean;
}

/** A switch for each kind and channel. A change is saved at once. */
export function Choices() {
  const t = useTexts('notifications');
  const { data, error, refetch } = useDashboard<NotificationChoices>('notification_choices');
  return (
    <Section title={t('choices')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('choices_hint')}
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && (
        <SimpleTable
          label={t('choices')}
          heads={[t('choices_kind'), t('app'), t('email')]}
          rows={data.choices.map((choice) => ({
            key: choice.kind,
            cells: [
              t(`kind_${choice.kind}`),
              ...notificationChannels.map((channel) => (
                <Switch key={channel} choice={choice} channel={channel} />
              )),
            ],
          }))}
        />
      )}
    </Section>
  );
}

interface SwitchProps {
  readonly choice: NotificationChoice;
  readonly channel: NotificationChannel;
}

/** Shows the new choice at once, and the stored one again if it cannot be saved. */
function Switch({ choice, channel }: SwitchProps) {
  const t = useTexts('notifications');
  const { kind } = choice;
  const save = useDashboardWrite<Choice>('notification_choices', 'PUT');
  const [chosen, setChosen] = useState<boolean>();
  const choose = (on: boolean) => {
    if (save.isPending) return;
    setChosen(on);
    save.mutate({ kind, channel, on }, { onSettled: () => setChosen(undefined) });
  };
  return (
    <Checkbox
      aria-label={t(`${channel}_of`, { kind: t(`kind_${kind}`) })}
      checked={chosen ?? choice[channel]}
      error={save.error && t('not_saved')}
      onChange={({ currentTarget }) => choose(currentTarget.checked)}
    />
  );
}
