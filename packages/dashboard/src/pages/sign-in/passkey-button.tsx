import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { canUsePasskeys, signWithPasskey } from '../../api/passkeys.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';

interface Props {
  readonly onEntered: () => Promise<void>;
  /** Whether the passkey was the last attempt. An older error would stand beside that of the last attempt. */
  readonly isLatest: boolean;
  readonly onAttempt: () => void;
}

/** Signs in with a passkey, with or without a password before. */
export function PasskeyButton({ onEntered, isLatest, onAttempt }: Props) {
  const t = useTexts('sign-in');
  const signIn = useMutation({
    mutationFn: async () =>
      callDashboard('session/passkey', {
        method: 'POST',
        body: { response: await signWithPasskey() },
      }),
    onSuccess: onEntered,
  });
  if (!canUsePasskeys()) return null;
  const error = isLatest ? signIn.error : null;
  const attempt = () => {
    onAttempt();
    signIn.mutate();
  };
  return (
    <>
      {error instanceof ApiError && <ProblemAlert error={error} />}
      {error && !(error instanceof ApiError) && (
        <Alert role="alert" color="yellow">
          {t('passkey_none')}
        </Alert>
      )}
      <Button variant="default" onClick={attempt} loading={signIn.isPending}>
        {t('passkey')}
      </Button>
    </>
  );
}
