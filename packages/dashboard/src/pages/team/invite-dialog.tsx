import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/session.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../parts/form/dialog-frame.tsx';
import { useAccountForm } from '../account/use-account-form.ts';
import { RolePicker } from './role-picker.tsx';
import { useMembershipWrite, usePermissionIds } from './use-team.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Invites a person by email. */
export function InviteDialog({ isOpen, onClose }: Props) {
  const t = useTexts('team');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} title={t('invite')} isWide>
      <InviteForm onClose={onClose} />
    </DialogFrame>
  );
}

function InviteForm({ onClose }: Pick<Props, 'onClose'>) {
  const t = useTexts('team');
  const common = useTexts('common');
  const notify = useNotify();
  const { mail } = useMe().instance;
  const ids = usePermissionIds();
  const [slugs, setSlugs] = useState<readonly string[]>([]);
  const invite = useMembershipWrite({
    method: 'POST',
    onDone: ({ email = '' }) => {
      notify(t(mail === 'smtp' ? 'sent' : `sent_${mail}`, { email }));
      onClose();
    },
  });
  const { form, others } = useAccountForm({ email: '' }, invite.error);
  const submit = form.onSubmit(({ email }) => {
    const permissions = slugs.flatMap((slug) => ids.data?.get(slug) ?? []);
    invite.mutate({ email, permissions });
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        {others.length > 0 && <ProblemAlert error={invite.error} problems={others} />}
        {ids.error && <ProblemAlert error={ids.error} onRetry={() => void ids.refetch()} />}
        <TextInput
          label={t('email')}
          type="email"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <RolePicker slugs={slugs} onChange={setSlugs} begins />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={invite.isPending} disabled={!ids.data}>
            {t('send_invitation')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
