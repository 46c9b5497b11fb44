import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDashboardWrite } from '../../api/queries.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { Section } from '../../parts/record/section.tsx';
import { useAccountForm } from './use-account-form.ts';

/** Forms for name and email address. */
export function ProfileSection() {
  const t = useTexts('account');
  return (
    <Section title={t('profile')}>
      <Stack>
        <NameForm />
        <EmailForm />
      </Stack>
    </Section>
  );
}

function NameForm() {
  const t = useTexts('account');
  const notify = useNotify();
  const { account } = useMe();
  const save = useDashboardWrite<{ name: string }>('account', 'PATCH');
  const { form, others } = useAccountForm({ name: account.name ?? '' }, save.error);
  const submit = form.onSubmit((sent) =>
    save.mutate(sent, { onSuccess: () => notify(t('saved')) }),
  );
  return (
    <form onSubmit={submit}>
      {others.length > 0 && <ProblemAlert error={save.error} problems={others} />}
      <Group align="end">
        <TextInput
          label={t('name')}
          autoComplete="name"
          required
          flex="1 1 14rem"
          maw={400}
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('save')}
        </Button>
      </Group>
    </form>
  );
}

/** Form for the email address. The new address takes effect when the person opens the emailed link. */
function EmailForm() {
  const t = useTexts('account');
  const notify = useNotify();
  const { account } = useMe();
  const save = useDashboardWrite<{ email: string }>('account/email', 'POST');
  const { form, others } = useAccountForm({ email: account.email }, save.error);
  const submit = form.onSubmit((sent) =>
    save.mutate(sent, { onSuccess: () => notify(t('email_sent', { email: sent.email })) }),
  );
  return (
    <form onSubmit={submit}>
      {others.length > 0 && <ProblemAlert error={save.error} problems={others} />}
      <Group align="end">
        <TextInput
          label={t('email')}
          description={t('email_hint')}
          type="email"
          autoComplete="email"
          required
          flex="1 1 14rem"
          maw={400}
          {...form.getInputProps('email')}
        />
        <Button
          type="submit"
          variant="default"
          loading={save.isPending}
          disabled={form.values.email === account.email}
        >
          {t('change')}
        </Button>
      </Group>
    </form>
  );
}
