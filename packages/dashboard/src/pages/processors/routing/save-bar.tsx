import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ApiError } from '../../../api/errors.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { isStale } from '../../../parts/form/stale.tsx';
import { ruleOfPointer } from './rules.ts';

interface Props {
  readonly save: { readonly error: unknown; readonly isPending: boolean };
  readonly onSave: () => void;
  readonly onReload: () => void;
}

/** Saves all rules together. Never overwrites rules that another operator saved meanwhile. */
export function SaveBar({ save, onSave, onReload }: Props) {
  const t = useTexts('processors');
  const isOutdated = isStale(save.error);
  const others = save.error instanceof ApiError ? othersOf(save.error) : undefined;
  return (
    <Stack gap="sm" mt="md">
      {isOutdated && (
        <Alert color="yellow" title={t('rules_stale')} role="alert">
          {t('rules_stale_text')}
        </Alert>
      )}
      {!isOutdated && save.error != null && others?.length !== 0 && (
        <ProblemAlert error={save.error} {...(others && { problems: others })} />
      )}
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {t('unsaved')}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onReload}>
            {t('discard')}
          </Button>
          <Button loading={save.isPending} disabled={isOutdated} onClick={onSave}>
            {t('save_rules')}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** Problems that no rule of the list shows. */
const othersOf = ({ problems }: ApiError) =>
  problems.filter(({ source }) => ruleOfPointer(source?.pointer) === undefined);
