import { Alert, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useDashboardWrite } from '../../../api/queries.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import type { AccountDetail } from '../types.ts';

export type AccountAction = 'enable' | 'pause' | 'remove';

interface Props {
  readonly account: AccountDetail;
  readonly action: AccountAction;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Says what follows from an action on an account, then runs it. */
export function AccountDialog({ account, action, isOpen, onClose }: Props) {
  const t = useTexts('processors');
  const notify = useNotify();
  const act = useDashboardWrite<object>(
    `operator/processor_accounts/${account.id}/${action}`,
    'POST',
  );
  const [givesUp, setGivesUp] = useState(false);
  const refundable = (action === 'remove' && account.obligations?.refundable) || 0;
  const openDisputes = (action === 'remove' && account.obligations?.open_disputes) || 0;
  const body = givesUp ? { give_up_refunds: true } : {};
  const close = () => {
    setGivesUp(false);
    act.reset();
    onClose();
  };
  const onSuccess = () => {
    notify(t(`${action}_done`, { name: account.name }));
    close();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t(`${action}_title`, { name: account.name })}
      text={t(`${action}_text`)}
      confirmText={t(action)}
      danger={action === 'remove'}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate(body, { onSuccess })}
    >
      {openDisputes > 0 && (
        <Alert color="orange" role="note">
          {t.count('open_disputes', openDisputes)}
        </Alert>
      )}
      {(refundable > 0 || openDisputes > 0) && (
        <Checkbox
          label={t.count('give_up_refunds', Math.max(refundable, openDisputes))}
          checked={givesUp}
          onChange={({ currentTarget }) => setGivesUp(currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
