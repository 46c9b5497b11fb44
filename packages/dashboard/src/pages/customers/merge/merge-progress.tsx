import { Alert, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { recordQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { MovedCounts } from './merge-preview.tsx';

const POLL_MS = 1_000;

interface Props {
  readonly id: string;
  /** Opens the customer who remains. */
  readonly onOpen: () => void;
}

/** Records that a merge has moved so far. A closed dialog does not stop the merge. */
export function MergeProgress({ id, onOpen }: Props) {
  const t = useTexts('customers');
  const { data, error, refetch } = useQuery({
    ...recordQuery(useScope(), 'customer_merges', id),
    refetchInterval: ({ state }) =>
      state.data?.record.attributes.completed_at === null ? POLL_MS : false,
  });
  if (!data)
    return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading />;
  const { attributes } = data.record;
  const isCompleted = attributes.completed_at !== null;
  return (
    <Stack>
      <Alert role="status" title={t(isCompleted ? 'merge_done' : 'merge_moving')}>
        <MovedCounts merge={attributes} />
      </Alert>
      <Group justify="flex-end">
        <Button autoFocus onClick={onOpen}>
          {t('merge_open')}
        </Button>
      </Group>
    </Stack>
  );
}
