import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { canUsePasskeys, signWithPasskey } from '../../api/passkeys.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';

/** Signs in with a passkey, with or without a password before. */
export function PasskeyButton({ onEntered }: { readonly onEntered: () => Promise<void> }) {
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
  return (
    <>
      {signIn.error instanceof ApiError && <ProblemAlert error={signIn.error} />}
      {signIn.error && !(signIn.error instanceof ApiError) && (
        <Alert role="alert" color="yellow">
          {t('passkey_none')}
        </Alert>
      )}
      <Button variant="default" onClick={() => signIn.mutate()} loading={signIn.isPending}>
        {t('passkey')}
      </Button>
    </>
  );
}
