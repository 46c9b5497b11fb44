import { Button, Divider, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDashboardWrite } from '../../api/queries.ts';
import { useInstance } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import type { Factor } from './sign-in.tsx';
import { useEnter } from './use-enter.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface Props {
  /** The password was right, and one of these is asked for as well. */
  readonly onAwait: (factors: readonly Factor[]) => void;
}

/** Address and password, or a passkey. */
export function PasswordStep({ onAwait }: Props) {
  const t = useTexts('sign-in');
  const enter = useEnter();
  const signIn = useDashboardWrite<Credentials, { awaits: readonly Factor[] }>('session', 'POST');
  const form = useForm<Credentials>({ initialValues: { email: '', password: '' } });
  const submit = form.onSubmit((credentials) =>
    signIn.mutate(credentials, {
      onSuccess: ({ awaits }) => (awaits.length > 0 ? onAwait(awaits) : void enter()),
    }),
  );
  return (
    <>
      {signIn.error && <ProblemAlert error={signIn.error} />}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username webauthn"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
      <Divider label={t('or')} />
      <PasskeyButton />
      <OtherWays />
    </>
  );
}

function OtherWays() {
  const t = useTexts('sign-in');
  const instance = useInstance();
  return (
    <Group justify="space-between" fz="sm">
      <ScopedLink to="/forgot-password">{t('forgot')}</ScopedLink>
      {instance?.registration === 'open' && <ScopedLink to="/register">{t('register')}</ScopedLink>}
      {instance?.mail === 'mailbox' && <ScopedLink to="/mailbox">{t('mailbox')}</ScopedLink>}
    </Group>
  );
}
