import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callDashboard } from '../api/client.ts';
import { canUsePasskeys, signWithPasskey } from '../api/passkeys.ts';
import { meQuery, useMe } from '../api/session.ts';
import { useTexts } from '../i18n/use-texts.ts';
import { ProblemAlert } from '../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../parts/form/dialog-frame.tsx';
import { PasswordBox } from '../parts/form/inputs/password-box.tsx';

interface Props {
  readonly isOpen: boolean;
  /** Called with whether the person confirmed the identity. */
  readonly end: (isShown: boolean) => void;
}

/** Asks for the password or a passkey before a sensitive request, which continues afterwards. */
export function IdentityDialog({ isOpen, end }: Props) {
  const t = useTexts('common');
  return (
    <DialogFrame isOpen={isOpen} onClose={() => end(false)} title={t('identity_title')}>
      <IdentityForm end={end} />
    </DialogFrame>
  );
}

function IdentityForm({ end }: Pick<Props, 'end'>) {
  const t = useTexts('common');
  const { account } = useMe();
  const [password, setPassword] = useState('');
  const prove = useProof(() => end(true));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate({ password });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('identity_text')}</Text>
        {prove.error && <ProblemAlert error={prove.error} />}
        <PasswordBox
          label={t('identity_password')}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Group justify="flex-end">
          {account.passkeys && canUsePasskeys() && (
            <Button variant="default" onClick={() => prove.mutate('passkey')}>
              {t('identity_passkey')}
            </Button>
          )}
          <Button type="submit" loading={prove.isPending}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useProof(onShown: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (proof: 'passkey' | { readonly password: string }) => {
      const body = proof === 'passkey' ? { response: await signWithPasskey() } : proof;
      await callDashboard('session/fresh', { method: 'POST', body });
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      onShown();
    },
  });
}
