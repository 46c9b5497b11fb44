import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../parts/form/dialog-frame.tsx';
import type { MemberView } from './members.ts';
import { RolePicker } from './role-picker.tsx';
import { useMembershipWrite, usePermissionIds } from './use-team.ts';

interface Props {
  /** The member to change; undefined closes the dialog. */
  readonly member: MemberView | undefined;
  readonly onClose: () => void;
}

/** Changes a member's permissions immediately. */
export function ChangeMemberDialog({ member, onClose }: Props) {
  const t = useTexts('team');
  return (
    <DialogFrame
      isOpen={member !== undefined}
      onClose={onClose}
      title={member && t('change_of', { email: member.email })}
      isWide
    >
      {member && <ChangeForm member={member} onClose={onClose} />}
    </DialogFrame>
  );
}

function ChangeForm({ member, onClose }: { readonly member: MemberView } & Pick<Props, 'onClose'>) {
  const t = useTexts('team');
  const common = useTexts('common');
  const notify = useNotify();
  const ids = usePermissionIds();
  const [slugs, setSlugs] = useState(member.slugs);
  const { id, email } = member;
  const onDone = () => {
    notify(t('changed', { email }));
    onClose();
  };
  const change = useMembershipWrite({ method: 'PATCH', path: `/${id}`, id, onDone });
  const save = () =>
    change.mutate({ permissions: slugs.flatMap((slug) => ids.data?.get(slug) ?? []) });
  return (
    <Stack>
      {change.error && <ProblemAlert error={change.error} />}
      <RolePicker slugs={slugs} onChange={setSlugs} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button onClick={save} loading={change.isPending} disabled={!ids.data}>
          {t('save')}
        </Button>
      </Group>
    </Stack>
  );
}
