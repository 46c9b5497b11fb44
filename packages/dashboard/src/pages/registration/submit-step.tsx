import { Button, List, Stack, Text } from '@mantine/core';
import { useDashboardWrite } from '../../api/queries.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import type { StepProps } from './types.ts';

/** Submits the application when it is complete. */
export function SubmitStep({ application }: StepProps) {
  const t = useTexts('registration');
  const names = useNames();
  const submit = useDashboardWrite<object>('application/submit', 'POST');
  const { missing } = application;
  return (
    <Stack>
      {submit.error && <ProblemAlert error={submit.error} />}
      {missing.length > 0 ? (
        <>
          <Text>{t('missing')}</Text>
          <List>
            {missing.map((name) => (
              <List.Item key={name}>{t.find(`missing_${name}`) ?? names.field(name)}</List.Item>
            ))}
          </List>
        </>
      ) : (
        <Text>{t('submit_hint')}</Text>
      )}
      <Button
        disabled={missing.length > 0}
        loading={submit.isPending}
        onClick={() => submit.mutate({})}
      >
        {t('submit')}
      </Button>
    </Stack>
  );
}
