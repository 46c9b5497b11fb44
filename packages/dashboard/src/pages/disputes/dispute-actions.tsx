import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import type { Evidence } from './use-evidence.ts';

const actions = ['submit', 'accept'] as const;
type DisputeAction = (typeof actions)[number];

interface DisputeWithEvidence {
  readonly dispute: RecordOf<'disputes'>;
  readonly evidence: Evidence;
}

/** Submits the evidence or accepts the dispute. Both are final. */
export function DisputeActions({ dispute, evidence }: DisputeWithEvidence) {
  const t = useTexts('disputes');
  const [open, setOpen] = useState<DisputeAction>();
  const offered = actions.filter((action) => dispute.meta?.allowed_actions?.includes(action));
  return (
    <>
      {offered.includes('submit') && (
        <Button onClick={() => setOpen('submit')}>{t('do_submit')}</Button>
      )}
      {offered.includes('accept') && (
        <ActionButton isDestructive onClick={() => setOpen('accept')}>
          {t('do_accept')}
        </ActionButton>
      )}
      {open && (
        <DisputeDialog
          action={open}
          dispute={dispute}
          evidence={evidence}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface Props extends DisputeWithEvidence {
  readonly action: DisputeAction;
  readonly onClose: () => void;
}

function DisputeDialog({ action, dispute, evidence, onClose }: Props) {
  const t = useTexts('disputes');
  const notify = useNotify();
  const amountText = useAmountText();
  const disputeAction = useAction('disputes', dispute.id, action);
  const { amount_cents, amount_currency } = dispute.attributes;
  const onSuccess = () => {
    notify(t(`done_${action}`));
    onClose();
  };
  // Saves unsaved evidence before the submission. If the save fails, nothing is submitted.
  const confirm = async () => {
    if (action === 'accept' || (await evidence.saveForm())) disputeAction.mutate({}, { onSuccess });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t(`do_${action}`)}
      text={t(`effect_${action}`, { amount: amountText(amount_cents, amount_currency) })}
      confirmText={t(`do_${action}`)}
      danger={action === 'accept'}
      isPending={disputeAction.isPending || evidence.isPending}
      error={
        disputeAction.error ?? (action === 'submit' && evidence.error ? evidence.error : undefined)
      }
      onConfirm={() => void confirm()}
    />
  );
}
