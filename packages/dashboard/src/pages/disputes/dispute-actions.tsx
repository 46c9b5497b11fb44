import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { useAmountText } from '../../parts/value/money.tsx';
import type { Evidence } from './use-evidence.ts';

const deeds = ['submit', 'accept'] as const;
type Deed = (typeof deeds)[number];

interface Disputed {
  readonly dispute: RecordOf<'disputes'>;
  readonly evidence: Evidence;
}

/** Submits the evidence or accepts the dispute. Neither can be undone. */
export function DisputeActions({ dispute, evidence }: Disputed) {
  const t = useTexts('disputes');
  const [open, setOpen] = useState<Deed>();
  const offered = deeds.filter((deed) => dispute.meta?.allowed_actions?.includes(deed));
  return (
    <>
      {offered.map((deed) => (
        <Button
          key={deed}
          {...(deed === 'accept' && { variant: 'outline', color: 'red' })}
          onClick={() => setOpen(deed)}
        >
          {t(`do_${deed}`)}
        </Button>
      ))}
      {open && (
        <DeedDialog
          deed={open}
          dispute={dispute}
          evidence={evidence}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface Props extends Disputed {
  readonly deed: Deed;
  readonly onClose: () => void;
}

function DeedDialog({ deed, dispute, evidence, onClose }: Props) {
  const t = useTexts('disputes');
  const notify = useNotify();
  const amountText = useAmountText();
  const act = useAction('disputes', dispute.id, deed);
  const { amount_cents, amount_currency } = dispute.attributes;
  const onSuccess = () => {
    notify(t(`done_${deed}`));
    onClose();
  };
  // Unsaved evidence would be lost, so it is saved first. Nothing is submitted if the save fails.
  const confirm = async () => {
    if (deed === 'accept' || (await evidence.saveForm())) act.mutate({}, { onSuccess });
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t(`do_${deed}`)}
      text={t(`effect_${deed}`, { amount: amountText(amount_cents, amount_currency) })}
      confirmText={t(`do_${deed}`)}
      danger={deed === 'accept'}
      isPending={act.isPending || evidence.isPending}
      error={act.error ?? (deed === 'submit' && evidence.error ? evidence.error : undefined)}
      onConfirm={() => void confirm()}
    />
  );
}
