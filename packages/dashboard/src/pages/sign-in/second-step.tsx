import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import type { Factor } from './sign-in.tsx';
import { useEnter } from './use-enter.ts';

interface Props {
  readonly factors: readonly Factor[];
  readonly onBack: () => void;
}

/** The second factor: a code, a passkey, or a recovery code in their place. */
export function SecondStep({ factors, onBack }: Props) {
  const t = useTexts('sign-in');
  const [isRecovering, setRecovering] = useState(!factors.includes('totp'));
  const canRecover = factors.includes('recovery_code');
  const takesCode = factors.includes('totp') || (isRecovering && canRecover);
  return (
    <>
      {factors.includes('passkey') && <PasskeyButton />}
      {takesCode && <CodeForm isRecovering={isRecovering} key={String(isRecovering)} />}
      {canRecover && factors.includes('totp') && (
        <Button variant="subtle" onClick={() => setRecovering(!isRecovering)}>
          {isRecovering ? t('use_code') : t('use_recovery')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={onBack}>
        {t('back')}
      </Button>
    </>
  );
}

function CodeForm({ isRecovering }: { readonly isRecovering: boolean }) {
  const t = useTexts('sign-in');
  const enter = useEnter();
  const send = useDashboardWrite<{ code: string }>('session/code', 'POST');
  const form = useForm({ initialValues: { code: '' } });
  const submit = form.onSubmit((sent) => send.mutate(sent, { onSuccess: () => void enter() }));
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{isRecovering ? t('recovery_hint') : t('code_hint')}</Text>
        {send.error && <ProblemAlert error={send.error} />}
        <TextInput
          label={isRecovering ? t('recovery_code') : t('code')}
          inputMode={isRecovering ? 'text' : 'numeric'}
          autoComplete={isRecovering ? 'off' : 'one-time-code'}
          required
          data-autofocus
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={send.isPending}>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
