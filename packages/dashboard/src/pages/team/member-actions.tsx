import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import type { MemberView } from './members.ts';
import { useMembershipWrite } from './use-team.ts';

interface Props {
  readonly member: MemberView;
  readonly onChange: () => void;
}

/** Actions on a member. The account that created the merchant cannot be changed. */
export function MemberActions({ member, onChange }: Props) {
  const t = useTexts('team');
  const can = useCan();
  if (member.opener || !can('user.memberships.update')) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={onChange}
        aria-label={t('change_of', { email: member.email })}
      >
        {t('change')}
      </Button>
      {!member.accepted && <Resend member={member} />}
      <Remove member={member} />
    </>
  );
}

function Resend({ member: { id, email } }: Pick<Props, 'member'>) {
  const t = useTexts('team');
  const notify = useNotify();
  const resend = useMembershipWrite({
    method: 'PATCH',
    path: `/${id}/resend`,
    id,
    onDone: () => notify(t('sent', { email })),
  });
  const send = () => resend.mutate({}, { onError: (error) => notify(error.message, 'problem') });
  return (
    <Button
      size="xs"
      variant="default"
      onClick={send}
      loading={resend.isPending}
      aria-label={t('resend_to', { email })}
    >
      {t('resend')}
    </Button>
  );
}

function Remove({ member: { id, email, accepted } }: Pick<Props, 'member'>) {
  const t = useTexts('team');
  const notify = useNotify();
  const [isOpen, setOpen] = useState(false);
  const onDone = () => {
    setOpen(false);
    notify(t('removed', { email }));
  };
  const remove = useMembershipWrite({ method: 'PATCH', path: `/${id}/remove`, id, onDone });
  const text = accepted ? t('remove') : t('withdraw');
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={() => setOpen(true)}
        aria-label={accepted ? t('remove_of', { email }) : t('withdraw_of', { email })}
      >
        {text}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={accepted ? t('remove_of', { email }) : t('withdraw_of', { email })}
        text={accepted ? t('remove_text') : t('withdraw_text')}
        confirmText={text}
        danger
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({})}
      />
    </>
  );
}
