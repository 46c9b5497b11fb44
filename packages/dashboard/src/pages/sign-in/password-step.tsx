import { Button, Divider, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useInstance } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PasswordBox } from '../../parts/form/inputs/password-box.tsx';
import { ScopedLink } from '../../parts/page/links.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import type { Factor } from './types.ts';
import { useSessionCall } from './use-session-call.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface Props {
  /** Email address, if a person signs in again. */
  readonly email: string | undefined;
  /** Called when the password was correct and a second factor is required. */
  readonly onAwait: (factors: readonly Factor[]) => void;
  readonly onEntered: () => Promise<void>;
}

/** First step: email and password, or a passkey. */
export function PasswordStep({ email, onAwait, onEntered }: Props) {
  const t = useTexts('sign-in');
  const signIn = useSessionCall<Credentials, { awaits: readonly Factor[] }>('session');
  const form = useForm<Credentials>({ initialValues: { email: email ?? '', password: '' } });
  const [latest, setLatest] = useState<'password' | 'passkey'>();
  const submit = form.onSubmit((credentials) => {
    setLatest('password');
    signIn.mutate(credentials, {
      onSuccess: ({ awaits }) => (awaits.length > 0 ? onAwait(awaits) : void onEntered()),
    });
  });
  return (
    <>
      {signIn.error && latest === 'password' && <ProblemAlert error={signIn.error} />}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username webauthn"
            required
            readOnly={email !== undefined}
            {...form.getInputProps('email')}
          />
          <PasswordBox
            label={t('password')}
            autoComplete="current-password"
            required
            data-autofocus={email !== undefined}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
      <Divider label={t('or')} />
      <PasskeyButton
        onEntered={onEntered}
        isLatest={latest === 'passkey'}
        onAttempt={() => setLatest('passkey')}
      />
      {email === undefined && <OtherMethods />}
    </>
  );
}

function OtherMethods() {
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
