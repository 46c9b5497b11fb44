import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ApiError, type ApiProblem, fieldPathOf, isProblem } from '../../api/errors.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Copyable } from '../value/copyable.tsx';

const SERVER_FAULT = 500;

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
      title={t(wasSent ? 'sent_before' : titleOf(apiError))}
      mb="md"
    >
      <Stack gap="xs">
        {isOffline && <Text size="sm">{t('offline_hint')}</Text>}
        {wasSent && <Text size="sm">{t('sent_before_hint')}</Text>}
        {!apiError && <Text size="sm">{t('broken_hint')}</Text>}
        {shownProblems.map((problem) => (
          <ProblemText
            key={`${problem.code} ${problem.source?.pointer ?? problem.source?.parameter ?? problem.detail ?? problem.text}`}
            problem={problem}
          />
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

/** An ordinary refusal is no fault of Florin, so that its title is calmer. */
function titleOf(error: ApiError | undefined) {
  if (error?.status === 0) return 'offline';
  return error && error.status < SERVER_FAULT ? 'request_refused' : 'problem';
}

/**
 * A title such as "is invalid" needs its subject; the detail is a whole sentence. The label replaces a technical name.
 * Below a translation, the detail names limits and values in English.
 */
function ProblemText({
  problem: { title, text: translation, detail, source, meta },
}: {
  readonly problem: ApiProblem;
}) {
  const t = useTexts('common');
  const names = useNames();
  const permission = meta?.required_permission;
  const path = source?.parameter ?? fieldPathOf(source?.pointer ?? '');
  const hint = permission ? t('forbidden_hint', { permission: String(permission) }) : undefined;
  const sentence = hint ?? translation ?? detail ?? title;
  return (
    <>
      <Text size="sm">
        {path && <strong>{names.field(path.split('.')[0] ?? path)}</strong>}
        {path && (sentence.startsWith(`${path} `) ? sentence.slice(path.length) : `: ${sentence}`)}
        {!path && sentence}
      </Text>
      {!hint && translation && detail && (
        <Text size="xs" lang="en">
          {detail}
        </Text>
      )}
    </>
  );
}
