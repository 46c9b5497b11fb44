import { PASSWORD_MAX, PASSWORD_MIN, passwordError } from '@florin/contract/passwords.ts';
import { Button, Stack } from '@mantine/core';
import { useDashboardWrite } from '../../api/queries.ts';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PasswordBox } from '../../parts/form/inputs/password-box.tsx';
import { Section } from '../../parts/record/section.tsx';
import { useAccountForm } from './use-account-form.ts';

interface Change {
  readonly old_password: string;
  readonly password: string;
}

const EMPTY = { old_password: '', password: '' };

/** Changes the password, which ends all other sessions. */
export function PasswordSection() {
  const t = useTexts('account');
  const rules = useTexts('sign-in');
  const notify = useNotify();
  const { account } = useMe();
  const save = useDashboardWrite<Change>('account/password', 'POST');
  const { form, others } = useAccountForm(EMPTY, save.error, {
    password: (password: string) => {
      const passwordProblem = passwordError(password, account.email);
      return passwordProblem
        ? rules(`password_${passwordProblem}`, { min: PASSWORD_MIN, max: PASSWORD_MAX })
        : null;
    },
  });
  const submit = form.onSubmit((sent) =>
    save.mutate(sent, {
      onSuccess: () => {
        form.reset();
        notify(t('password_changed'));
      },
    }),
  );
  return (
    <Section title={t('password')}>
      <form onSubmit={submit}>
        <Stack maw={400}>
          {others.length > 0 && <ProblemAlert error={save.error} problems={others} />}
          <PasswordBox
            label={t('old_password')}
            autoComplete="current-password"
            required
            {...form.getInputProps('old_password')}
          />
          <PasswordBox
            label={t('new_password')}
            description={rules('password_hint', { min: PASSWORD_MIN })}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('change_password')}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
