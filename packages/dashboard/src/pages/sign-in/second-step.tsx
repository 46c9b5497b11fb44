import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import type { Factor } from './types.ts';
import { useSessionCall } from './use-session-call.ts';

interface Props {
  readonly factors: readonly Factor[];
  readonly onBack: () => void;
  readonly onEntered: () => Promise<void>;
}

/** Second step: a code, a passkey or a recovery code. */
export function SecondStep({ factors, onBack, onEntered }: Props) {
  const t = useTexts('sign-in');
  const [latest, setLatest] = useState<'code' | 'passkey'>();
  const [isRecovering, setRecovering] = useState(!factors.includes('totp'));
  const canRecover = factors.includes('recovery_code');
  const needsCode = factors.includes('totp') || (isRecovering && canRecover);
  return (
    <>
      {factors.includes('passkey') && (
        <PasskeyButton
          onEntered={onEntered}
          isLatest={latest === 'passkey'}
          onAttempt={() => setLatest('passkey')}
        />
      )}
      {needsCode && (
        <CodeForm
          isRecovering={isRecovering}
          key={String(isRecovering)}
          onEntered={onEntered}
          isLatest={latest === 'code'}
          onAttempt={() => setLatest('code')}
        />
      )}
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

interface CodeProps extends Pick<Props, 'onEntered'> {
  readonly isRecovering: boolean;
  readonly isLatest: boolean;
  readonly onAttempt: () => void;
}

function CodeForm({ isRecovering, onEntered, isLatest, onAttempt }: CodeProps) {
  const t = useTexts('sign-in');
  const send = useSessionCall<{ code: string }>('session/code');
  const form = useForm({ initialValues: { code: '' } });
  const submit = form.onSubmit((sent) => {
    onAttempt();
    send.mutate(sent, { onSuccess: () => void onEntered() });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{isRecovering ? t('recovery_hint') : t('code_hint')}</Text>
        {send.error && isLatest && <ProblemAlert error={send.error} />}
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
