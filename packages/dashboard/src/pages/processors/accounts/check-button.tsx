import { Button } from '@mantine/core';
import { useDashboardWrite } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import type { ProcessorAccount } from '../types.ts';

interface CheckAnswer {
  readonly data: { readonly accepted: boolean };
}

/** Asks the processor whether it accepts the credentials. Changes nothing there. */
export function CheckButton({ account: { id } }: { readonly account: ProcessorAccount }) {
  const t = useTexts('processors');
  const notify = useNotify();
  const check = useDashboardWrite<object, CheckAnswer>(
    `operator/processor_accounts/${id}/check`,
    'POST',
  );
  const run = () =>
    check.mutate(
      {},
      {
        // The page shows a failure.
        onSuccess: ({ data: { accepted } }) => accepted && notify(t('accepted')),
        onError: (error) => notify(error.message, 'problem'),
      },
    );
  return (
    <Button variant="default" loading={check.isPending} onClick={run}>
      {t('check')}
    </Button>
  );
}
