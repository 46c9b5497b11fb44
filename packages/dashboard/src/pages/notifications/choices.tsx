import {
  type NotificationChannel,
  type NotificationChoice,
  type NotificationChoices,
  type NotificationKind,
  notificationChannels,
} from '@florin/contract/member-notifications.ts';
import { Checkbox, Text } from '@mantine/core';
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
  const save = useDashboardWrite<Choice>('notification_choices', 'PUT');
  return (
    <Section title={t('choices')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('choices_hint')}
      </Text>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {save.error && <ProblemAlert error={save.error} />}
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
                <Switch
                  key={channel}
                  choice={choice}
                  channel={channel}
                  sent={save.isPending ? save.variables : undefined}
                  onChange={save.mutate}
                />
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
  /** The choice that is being saved, which the switch already shows. */
  readonly sent: Choice | undefined;
  readonly onChange: (choice: Choice) => void;
}

function Switch({ choice, channel, sent, onChange }: SwitchProps) {
  const t = useTexts('notifications');
  const { kind } = choice;
  const isSent = sent?.kind === kind && sent.channel === channel;
  return (
    <Checkbox
      aria-label={t(`${channel}_of`, { kind: t(`kind_${kind}`) })}
      checked={isSent ? sent.on : choice[channel]}
      onChange={({ currentTarget }) => onChange({ kind, channel, on: currentTarget.checked })}
    />
  );
}
