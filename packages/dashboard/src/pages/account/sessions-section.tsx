import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDashboard, useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { Section } from '../../parts/record/section.tsx';
import { Instant } from '../../parts/value/instant.tsx';

interface SessionView {
  readonly id: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly current: boolean;
}

export function SessionsSection() {
  const t = useTexts('account');
  const notify = useNotify();
  const { data, error, refetch } = useDashboard<{ data: readonly SessionView[] }>('sessions');
  const endOthers = useDashboardWrite<object, { ended: number }>('sessions/end_others', 'POST');
  const sessions = data?.data ?? [];
  const end = () =>
    endOthers.mutate({}, { onSuccess: ({ ended }) => notify(t.count('ended', ended)) });
  return (
    <Section
      title={t('sessions')}
      actions={
        <Button
          variant="default"
          onClick={end}
          loading={endOthers.isPending}
          disabled={sessions.length < 2}
        >
          {t('end_others')}
        </Button>
      }
    >
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {endOthers.error && <ProblemAlert error={endOthers.error} />}
      {!data && !error && <Loading rows={2} />}
      {data && <SessionTable sessions={sessions} />}
    </Section>
  );
}

function SessionTable({ sessions }: { readonly sessions: readonly SessionView[] }) {
  const t = useTexts('account');
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label={t('sessions')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('browser')}</Table.Th>
            <Table.Th scope="col">{t('address')}</Table.Th>
            <Table.Th scope="col">{t('seen')}</Table.Th>
            <Table.Th scope="col">{t('actions')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function SessionRow({ session }: { readonly session: SessionView }) {
  const t = useTexts('account');
  const { id, ip, user_agent, seen_at, current } = session;
  const endSession = useDashboardWrite<object>(`sessions/${id}`, 'DELETE');
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={2}>
          <Group gap="xs">
            {browserOf(user_agent)}
            {current && <Badge variant="light">{t('this_session')}</Badge>}
          </Group>
          <Text size="xs" c="dimmed" lineClamp={1} title={user_agent}>
            {user_agent}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>{ip}</Table.Td>
      <Table.Td>
        <Instant at={seen_at} />
      </Table.Td>
      <Table.Td>
        {!current && (
          <Button
            size="xs"
            variant="default"
            aria-label={t('end_session', { browser: browserOf(user_agent) })}
            loading={endSession.isPending}
            onClick={() => endSession.mutate({})}
          >
            {t('end')}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Browsers by user agent. The order matters: most browsers also name other browsers in their user agent. */
const browsers = [
  ['Firefox', /Firefox\//],
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const;

const browserOf = (user_agent: string): string =>
  browsers.find(([, pattern]) => pattern.test(user_agent))?.[0] ?? '–';
