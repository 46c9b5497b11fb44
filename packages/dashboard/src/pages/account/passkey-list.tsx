import { Alert, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callDashboard } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { canUsePasskeys, makePasskey } from '../../api/passkeys.ts';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { Instant } from '../../parts/value/instant.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import type { Passkey } from './types.ts';

interface Props {
  readonly passkeys: readonly Passkey[];
  readonly onCodes: (codes: readonly string[]) => void;
}

/** The account's passkeys, with a form to add one. */
export function PasskeyList({ passkeys, onCodes }: Props) {
  const t = useTexts('account');
  return (
    <Stack gap="xs">
      {passkeys.length > 0 && (
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Caption>{t('passkeys')}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t('passkey_name')}</Table.Th>
                <Table.Th scope="col">{t('passkey_used')}</Table.Th>
                <Table.Th scope="col">{t('actions')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {canUsePasskeys() && <AddPasskey onCodes={onCodes} />}
    </Stack>
  );
}

function PasskeyRow({ passkey: { id, name, used_at } }: { readonly passkey: Passkey }) {
  const t = useTexts('account');
  const [dialog, setDialog] = useState<'rename' | 'remove'>();
  const close = () => setDialog(undefined);
  const remove = useDashboardWrite<object>(`account/passkeys/${id}`, 'DELETE');
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>{used_at ? <Instant at={used_at} /> : t('never')}</Table.Td>
      <Table.Td>
        <Group gap="xs">
          <ActionButton
            size="xs"
            onClick={() => setDialog('rename')}
            aria-label={`${t('rename')}: ${name}`}
          >
            {t('rename')}
          </ActionButton>
          <ActionButton
            size="xs"
            isDestructive
            onClick={() => setDialog('remove')}
            aria-label={`${t('remove')}: ${name}`}
          >
            {t('remove')}
          </ActionButton>
        </Group>
        <RenameDialog id={id} name={name} isOpen={dialog === 'rename'} onClose={close} />
        <ConfirmDialog
          isOpen={dialog === 'remove'}
          onClose={close}
          title={t('passkey_remove')}
          text={t('passkey_remove_text', { name })}
          confirmText={t('remove')}
          danger
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({}, { onSuccess: close })}
        />
      </Table.Td>
    </Table.Tr>
  );
}

function AddPasskey({ onCodes }: Pick<Props, 'onCodes'>) {
  const t = useTexts('account');
  const [name, setName] = useState('');
  const add = useAdd((codes) => {
    setName('');
    onCodes(codes);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(name);
  };
  return (
    <form onSubmit={submit}>
      {add.error instanceof ApiError && <ProblemAlert error={add.error} />}
      {add.error && !(add.error instanceof ApiError) && (
        <Alert role="alert" color="yellow" mb="xs">
          {t('passkey_not_made')}
        </Alert>
      )}
      <Group align="end">
        <TextInput
          label={t('passkey_new')}
          description={t('passkey_new_hint')}
          required
          maxLength={100}
          flex="1 1 14rem"
          maw={400}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          {t('passkey_add')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('passkey_hint')}
      </Text>
    </form>
  );
}

function useAdd(onAdded: (codes: readonly string[]) => void) {
  const t = useTexts('account');
  const notify = useNotify();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) =>
      callDashboard<{ recovery_codes: readonly string[] }>('account/passkeys', {
        method: 'POST',
        body: { name, response: await makePasskey() },
      }),
    onSuccess: async ({ recovery_codes }) => {
      notify(t('passkey_added'));
      onAdded(recovery_codes);
      await queries.invalidateQueries({ queryKey: ['dashboard'] });
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
