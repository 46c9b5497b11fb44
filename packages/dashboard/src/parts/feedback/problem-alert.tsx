import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ApiError, type ApiProblem, isProblem } from '../../api/errors.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Copyable } from '../value/copyable.tsx';

interface Props {
  readonly error: unknown;
  /** Problems to show. Problems at a form field are omitted. */
  readonly problems?: readonly ApiProblem[];
  readonly onRetry?: () => void;
}

/** Shows an error in the words of the interface, with its request id in the server's log. */
export function ProblemAlert({ error, problems, onRetry }: Props) {
  const t = useTexts('common');
  const apiError = error instanceof ApiError ? error : undefined;
  const isOffline = apiError?.status === 0;
  const wasSent = isProblem(error, 'idempotency_conflict');
  const shownProblems = isOffline ? [] : (problems ?? apiError?.problems ?? []);
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      title={t(wasSent ? 'sent_before' : isOffline ? 'offline' : 'problem')}
      mb="md"
    >
      <Stack gap="xs">
        {isOffline && <Text size="sm">{t('offline_hint')}</Text>}
        {wasSent && <Text size="sm">{t('sent_before_hint')}</Text>}
        {!apiError && <Text size="sm">{t('broken_hint')}</Text>}
        {shownProblems.map(({ code, title, detail, source, meta }) => (
          <Text size="sm" key={`${code} ${source?.pointer ?? source?.parameter ?? detail}`}>
            <strong>{title}</strong>{' '}
            {meta?.required_permission
              ? t('forbidden_hint', { permission: String(meta.required_permission) })
              : detail}
          </Text>
        ))}
        <Group gap="sm">
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('retry')}
            </Button>
          )}
          {apiError?.request_id && (
            <Copyable
              value={apiError.request_id}
              label={t('request_id', { id: apiError.request_id })}
            />
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
