import { useState } from 'react';
import { useCan } from '../../api/scope.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import type { MemberView } from './members.ts';
import { RemoveDialog } from './remove-dialog.tsx';
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
      <ActionButton
        size="xs"
        onClick={onChange}
        aria-label={t('change_of', { email: member.email })}
      >
        {t('change')}
      </ActionButton>
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
    <ActionButton
      size="xs"
      onClick={send}
      loading={resend.isPending}
      aria-label={t('resend_to', { email })}
    >
      {t('resend')}
    </ActionButton>
  );
}

function Remove({ member }: Pick<Props, 'member'>) {
  const t = useTexts('team');
  const [isOpen, setOpen] = useState(false);
  const { email, accepted } = member;
  return (
    <>
      <ActionButton
        size="xs"
        isDestructive
        onClick={() => setOpen(true)}
        aria-label={accepted ? t('remove_of', { email }) : t('withdraw_of', { email })}
      >
        {accepted ? t('remove') : t('withdraw')}
      </ActionButton>
      <RemoveDialog member={member} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
