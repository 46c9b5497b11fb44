import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useAccountForm } from '../account/use-account-form.ts';

/** Creates a business, whose sandbox is ready immediately. */
export function NewBusiness() {
  const t = useTexts('registration');
  const navigate = useNavigate();
  const open = useDashboardWrite<{ business_name: string }, { id: string }>('merchants', 'POST');
  const { form, others } = useAccountForm({ business_name: '' }, open.error);
  const submit = form.onSubmit((sent) =>
    open.mutate(sent, { onSuccess: ({ id }) => void navigate({ to: `/${id}/sandbox/setup` }) }),
  );
  return (
    <>
      <PageTitle title={t('new_title')} />
      <form onSubmit={submit}>
        <Stack maw={480}>
          <Text>{t('new_hint')}</Text>
          {others.length > 0 && <ProblemAlert error={open.error} problems={others} />}
          <TextInput
            label={t('business_name')}
            autoComplete="organization"
            maxLength={200}
            required
            {...form.getInputProps('business_name')}
          />
          <Button type="submit" loading={open.isPending}>
            {t('new_open')}
          </Button>
        </Stack>
      </form>
    </>
  );
}
