import { Button, Stack, TextInput } from '@mantine/core';
import { useDashboardWrite } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../parts/form/dialog-frame.tsx';
import { useAccountForm } from './use-account-form.ts';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function RenameDialog(props: Props) {
  const t = useTexts('account');
  return (
    <DialogFrame isOpen={props.isOpen} onClose={props.onClose} title={t('passkey_rename')}>
      <RenameForm {...props} />
    </DialogFrame>
  );
}

function RenameForm({ id, name, onClose }: Props) {
  const t = useTexts('account');
  const save = useDashboardWrite<{ name: string }>(`account/passkeys/${id}`, 'PATCH');
  const { form, others } = useAccountForm({ name }, save.error);
  return (
    <form onSubmit={form.onSubmit((sent) => save.mutate(sent, { onSuccess: onClose }))}>
      <Stack>
        {others.length > 0 && <ProblemAlert error={save.error} problems={others} />}
        <TextInput label={t('passkey_name')} required {...form.getInputProps('name')} />
        <Button type="submit" loading={save.isPending}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}
