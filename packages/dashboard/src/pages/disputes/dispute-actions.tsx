import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../../api/queries.ts';
import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { useAmountText } from '../../parts/value/money.tsx';

const deeds = ['submit', 'accept'] as const;
type Deed = (typeof deeds)[number];

/** Sends the evidence, or gives in: each once and for good. */
export function DisputeActions({ dispute }: { readonly dispute: RecordOf<'disputes'> }) {
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
      {open && <DeedDialog deed={open} dispute={dispute} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface Props {
  readonly deed: Deed;
  readonly dispute: RecordOf<'disputes'>;
  readonly onClose: () => void;
}

function DeedDialog({ deed, dispute, onClose }: Props) {
  const t = useTexts('disputes');
  const notify = useNotify();
  const amountText = useAmountText();
  const act = useAction('disputes', dispute.id, deed);
  const { amount_cents, amount_currency } = dispute.attributes;
  const onSuccess = () => {
    notify(t(`done_${deed}`));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t(`do_${deed}`)}
      text={t(`effect_${deed}`, { amount: amountText(amount_cents, amount_currency) })}
      confirmText={t(`do_${deed}`)}
      danger={deed === 'accept'}
      isPending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate({}, { onSuccess })}
    />
  );
}
