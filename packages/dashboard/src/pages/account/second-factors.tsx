import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useDashboard, useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { Section } from '../../parts/record/section.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpSetUp } from './totp-set-up.tsx';
import type { Passkey } from './types.ts';

interface Factors {
  readonly totp: boolean;
  readonly recovery_codes_left: number;
  readonly passkeys: readonly Passkey[];
}

/** Second factors of the account. New recovery codes stay visible until the person dismisses them. */
export function SecondFactors() {
  const t = useTexts('account');
  const { data, error, refetch } = useDashboard<Factors>('account/factors');
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Section title={t('factors')}>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={3} />}
      {data && (
        <Stack>
          <Text size="sm">{t('factors_hint')}</Text>
          <Totp isOn={data.totp} onCodes={setCodes} />
          <PasskeyList passkeys={data.passkeys} onCodes={setCodes} />
          {(data.totp || data.passkeys.length > 0) && (
            <Recovery left={data.recovery_codes_left} onCodes={setCodes} />
          )}
        </Stack>
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
    </Section>
  );
}

interface CodesProps {
  readonly onCodes: (codes: readonly string[]) => void;
}

function Totp({ isOn, onCodes }: CodesProps & { readonly isOn: boolean }) {
  const t = useTexts('account');
  const [isOpen, setOpen] = useState(false);
  const remove = useDashboardWrite<object>('account/totp', 'DELETE');
  return (
    <Group justify="space-between">
      <Text>{isOn ? t('totp_on') : t('totp_off')}</Text>
      <ActionButton
        isDestructive={isOn}
        onClick={() => setOpen(true)}
        aria-label={isOn ? t('totp_remove') : t('totp_add')}
      >
        {isOn ? t('remove') : t('totp_add')}
      </ActionButton>
      {isOn ? (
        <ConfirmDialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title={t('totp_remove')}
          text={t('totp_remove_text')}
          confirmText={t('remove')}
          danger
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({}, { onSuccess: () => setOpen(false) })}
        />
      ) : (
        <TotpSetUp isOpen={isOpen} onClose={() => setOpen(false)} onCodes={onCodes} />
      )}
    </Group>
  );
}

function Recovery({ left, onCodes }: CodesProps & { readonly left: number }) {
  const t = useTexts('account');
  const [isOpen, setOpen] = useState(false);
  const renew = useDashboardWrite<object, { recovery_codes: readonly string[] }>(
    'account/recovery_codes',
    'POST',
  );
  return (
    <Group justify="space-between">
      <Text>{t.count('codes_left', left)}</Text>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('codes_renew')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('codes_renew')}
        text={t('codes_renew_text')}
        confirmText={t('codes_renew')}
        isPending={renew.isPending}
        error={renew.error}
        onConfirm={() =>
          renew.mutate(
            {},
            {
              onSuccess: ({ recovery_codes }) => {
                setOpen(false);
                onCodes(recovery_codes);
              },
            },
          )
        }
      />
    </Group>
  );
}
