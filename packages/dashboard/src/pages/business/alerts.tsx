import { Button, Card, Center, Group, Stack, Text, Title } from '@mantine/core';
import { useList } from '../../api/list.ts';
import { useAction } from '../../api/queries.ts';
import { useCan } from '../../api/scope.ts';
import type { RecordOf } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { EmptyState } from '../../parts/feedback/empty-state.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { AlertMessage } from '../../parts/value/alert-message.tsx';
import { Instant } from '../../parts/value/instant.tsx';

/** Alerts of the merchant, unread and read. */
export function Alerts() {
  const t = useTexts('business');
  return (
    <>
      <PageTitle title={t('alerts')} />
      <Text c="dimmed" size="sm" mb="md">
        {t('alerts_hint')}
      </Text>
      <Stack gap="xl">
        <AlertList status="pending" />
        <AlertList status="acknowledged" />
      </Stack>
    </>
  );
}

function AlertList({ status }: { readonly status: 'pending' | 'acknowledged' }) {
  const t = useTexts('business');
  const list = useList('account_alerts', { 'filter[status]': status, sort: '-created_at' });
  const alerts = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const isPending = status === 'pending';
  if (list.isPending) return <Loading rows={3} />;
  if (list.error) return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />;
  if (alerts.length === 0) {
    return isPending ? <EmptyState title={t('no_alerts')} hint={t('no_alerts_hint')} /> : null;
  }
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {isPending ? t('open_alerts') : t('seen_alerts')}
      </Title>
      <Stack gap="sm">
        {alerts.map((alert) => (
          <AlertCard key={alert.id} alert={alert} />
        ))}
      </Stack>
      {list.hasNextPage && (
        <Center mt="md">
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </Center>
      )}
    </section>
  );
}

function AlertCard({ alert }: { readonly alert: RecordOf<'account_alerts'> }) {
  const names = useNames();
  const { code, created_at } = alert.attributes;
  return (
    <Card withBorder padding="sm" component="article">
      <Group justify="space-between" align="flex-start" wrap="wrap">
        <Stack gap={2} flex={1} miw={220}>
          <Text fw={600}>{names.value(code ?? 'alert')}</Text>
          <Text size="sm">
            <AlertMessage attributes={alert.attributes} />
          </Text>
          <Text size="xs" c="dimmed">
            <Instant at={String(created_at)} />
          </Text>
        </Stack>
        <Acknowledge alert={alert} />
      </Group>
    </Card>
  );
}

function Acknowledge({ alert }: { readonly alert: RecordOf<'account_alerts'> }) {
  const t = useTexts('business');
  const names = useNames();
  const can = useCan();
  const notify = useNotify();
  const action = useAction('account_alerts', alert.id, 'acknowledge');
  const { acknowledged_at } = alert.attributes;
  if (acknowledged_at) {
    return (
      <Text size="sm" c="dimmed">
        {t('acknowledged')} <Instant at={acknowledged_at} />
      </Text>
    );
  }
  if (!can('user.account_alerts.update')) return null;
  return (
    <Stack gap="xs">
      {action.error && <ProblemAlert error={action.error} />}
      <Button
        size="xs"
        variant="default"
        loading={action.isPending}
        aria-label={`${t('acknowledge')}: ${names.value(alert.attributes.code ?? 'alert')}`}
        onClick={() => action.mutate({}, { onSuccess: () => notify(t('acknowledged_note')) })}
      >
        {t('acknowledge')}
      </Button>
    </Stack>
  );
}
