import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callDashboard } from '../../api/client.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../parts/form/dialog-frame.tsx';
import { Copyable } from '../../parts/value/copyable.tsx';
import { QrCode } from '../../parts/value/qr-code.tsx';
import { useAccountForm } from './use-account-form.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Sets up an authenticator app: shows the QR code of a secret, then asks for a code. */
export function TotpSetUp(props: Props) {
  const t = useTexts('account');
  return (
    <DialogFrame isOpen={props.isOpen} onClose={props.onClose} title={t('totp_add')}>
      <SetUp {...props} />
    </DialogFrame>
  );
}

function SetUp(props: Props) {
  const t = useTexts('account');
  const setup = useQuery({
    queryKey: ['totp'],
    queryFn: () =>
      callDashboard<{ secret: string; uri: string }>('account/totp', { method: 'POST' }),
    gcTime: 0,
    retry: false,
    // Never refetched: a second request would create another secret than the scanned one.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Stack>
      <Text size="sm">{t('totp_hint')}</Text>
      {setup.error && <ProblemAlert error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.isPending && <Loading rows={4} />}
      {setup.data && (
        <>
          <QrCode text={setup.data.uri} label={t('totp_qr')} />
          <Copyable value={setup.data.secret} what={t('totp_secret')} />
          <FirstCode {...props} />
        </>
      )}
    </Stack>
  );
}

function FirstCode(props: Props) {
  const t = useTexts('account');
  const send = useConfirm(props);
  const { form, others } = useAccountForm({ code: '' }, send.error);
  const submit = form.onSubmit(({ code }) => send.mutate(code));
  return (
    <form onSubmit={submit}>
      <Stack>
        {others.length > 0 && <ProblemAlert error={send.error} problems={others} />}
        <TextInput
          label={t('totp_code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={send.isPending}>
          {t('totp_confirm')}
        </Button>
      </Stack>
    </form>
  );
}

/** Shows the recovery codes first. Reading the page again unmounts this dialog. */
function useConfirm({ onClose, onCodes }: Props) {
  const t = useTexts('account');
  const notify = useNotify();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) =>
      callDashboard<{ recovery_codes: readonly string[] }>('account/totp/confirm', {
        method: 'POST',
        body: { code },
      }),
    onSuccess: async ({ recovery_codes }) => {
      notify(t('totp_on'));
      onCodes(recovery_codes);
      onClose();
      await queries.invalidateQueries({ queryKey: ['dashboard'] });
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
