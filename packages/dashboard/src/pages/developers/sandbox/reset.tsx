import { Box, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callDashboard } from '../../../api/client.ts';
import { useDashboardWrite } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';

const POLL_MS = 1_000;
/** The server expects this English text in every language. */
const CONFIRMATION = 'reset sandbox';

interface Progressing {
  readonly status: 'never' | 'running' | 'finished';
  readonly removed_count?: number;
  readonly kept_cards?: number;
}

/** Deletes all sandbox records after the person has typed the confirmation. */
export function Reset() {
  const t = useTexts('developers');
  const [typed, setTyped] = useState('');
  const resetSandbox = useDashboardWrite<{ confirm: string }>('sandbox/reset', 'POST');
  const progress = useProgress();
  const isRunning = progress.data?.status === 'running';
  return (
    <Stack align="flex-start" maw={480}>
      {resetSandbox.error && <ProblemAlert error={resetSandbox.error} />}
      {progress.error && <ProblemAlert error={progress.error} />}
      <TextInput
        label={t('reset_confirm', { words: CONFIRMATION })}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="off"
        w="100%"
      />
      <Button
        color="red"
        loading={resetSandbox.isPending}
        disabled={typed !== CONFIRMATION || isRunning}
        onClick={() => resetSandbox.mutate({ confirm: typed }, { onSuccess: () => setTyped('') })}
      >
        {t('reset_run')}
      </Button>
      {progress.data && <ResetProgress progress={progress.data} />}
    </Stack>
  );
}

/** Drops cached sandbox records, because the reset deleted them. */
function useProgress() {
  const scope = useScope();
  const queries = useQueryClient();
  return useQuery({
    queryKey: ['dashboard', scope.merchant, scope.mode, 'sandbox/reset'],
    queryFn: async ({ signal }) => {
      const progressing = await callDashboard<Progressing>('sandbox/reset', { signal, scope });
      if (progressing.status === 'running') await queries.invalidateQueries({ queryKey: ['v2'] });
      return progressing;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
}

function ResetProgress({ progress }: { readonly progress: Progressing }) {
  const { status, removed_count = 0, kept_cards = 0 } = progress;
  const t = useTexts('developers');
  if (status === 'never') return null;
  if (status === 'finished') {
    return (
      <Text size="sm" role="status">
        {t.count('reset_finished', removed_count)}
        {kept_cards > 0 && ` ${t.count('reset_kept', kept_cards)}`}
      </Text>
    );
  }
  return (
    <Box w="100%">
      <ProgressBar
        label={t.count('reset_running', removed_count)}
        done={removed_count}
        total={undefined}
      />
    </Box>
  );
}
