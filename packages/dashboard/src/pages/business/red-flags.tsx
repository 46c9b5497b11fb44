import { Group, Stack, Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import { useCan } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Section } from '../../parts/record/section.tsx';
import { AlertMessage } from '../../parts/value/alert-message.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';

/** Findings of the operator about the merchant, with their enforcement actions. */
export function RedFlags() {
  const t = useTexts('business');
  const can = useCan();
  const list = useList('red_flags', { sort: '-created_at' });
  const flags = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <PageTitle title={t('flags')} />
      <Text c="dimmed" size="sm" mb="md">
        {t('flags_hint')}
      </Text>
      {list.isPending && <Loading />}
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && flags.length === 0 && (
        <EmptyState title={t('no_flags')} hint={t('no_flags_hint')} />
      )}
      <Stack gap="lg">
        {flags.map((flag) => (
          <RedFlag key={flag.id} flag={flag} />
        ))}
        {can('user.merchant_punitive_actions.read') && <EnforcementActions />}
      </Stack>
    </>
  );
}

function RedFlag({ flag }: { readonly flag: RecordOf<'red_flags'> }) {
  const names = useNames();
  const can = useCan();
  const { violation, status, comment, created_at } = flag.attributes;
  return (
    <Section
      title={names.value(violation ?? 'red_flag')}
      actions={status && <StateBadge state={status} tone={toneOf(status)} />}
    >
      <Text>{comment}</Text>
      <Text size="xs" c="dimmed">
        <Instant at={String(created_at)} />
      </Text>
      {can('user.account_alerts.read') && <History flag={flag.id} />}
    </Section>
  );
}

const toneOf = (status: string) => {
  if (status === 'cleared') return 'good';
  return status === 'penalized' ? 'bad' : 'attention';
};

/** Alerts about a red flag in order. */
function History({ flag }: { readonly flag: string }) {
  const t = useTexts('business');
  const list = useList('account_alerts', { 'filter[red_flag]': flag, sort: 'created_at' });
  const alerts = list.data?.pages.flatMap(({ data }) => data) ?? [];
  if (alerts.length === 0) return null;
  return (
    <>
      <Text fw={600} size="sm" mt="sm">
        {t('history')}
      </Text>
      <Stack component="ul" gap={4} m={0} pl="md">
        {alerts.map((alert) => (
          <Text component="li" size="sm" key={alert.id}>
            <Instant at={String(alert.attributes.created_at)} />{' '}
            <AlertMessage attributes={alert.attributes} />
          </Text>
        ))}
      </Stack>
    </>
  );
}

function EnforcementActions() {
  const t = useTexts('business');
  const list = useList('merchant_punitive_actions', { sort: '-created_at' });
  const measures = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section title={t('measures')}>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && measures.length === 0 && <Text c="dimmed">{t('no_measures')}</Text>}
      <Stack gap="sm">
        {measures.map((measure) => (
          <EnforcementActionItem key={measure.id} measure={measure} />
        ))}
      </Stack>
    </Section>
  );
}

function EnforcementActionItem({
  measure,
}: {
  readonly measure: RecordOf<'merchant_punitive_actions'>;
}) {
  const t = useTexts('business');
  const names = useNames();
  const { action, status, reason, created_at, lifted_at } = measure.attributes;
  return (
    <Stack gap={0}>
      <Group gap="sm">
        <Text fw={600}>{names.value(action ?? '')}</Text>
        <StateBadge state={status} tone={status === 'in_force' ? 'bad' : 'neutral'} />
      </Group>
      <Text size="sm">{reason}</Text>
      <Text size="xs" c="dimmed">
        <Instant at={String(created_at)} />
        {lifted_at && (
          <>
            {` – ${t('lifted')} `}
            <Instant at={lifted_at} />
          </>
        )}
      </Text>
    </Stack>
  );
}
