import type { RecordOf } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { DialogFrame } from '../../parts/form/dialog-frame.tsx';
import { ChangeForm } from './change-form.tsx';

interface Props {
  readonly subscription: RecordOf<'payment_subscriptions'>;
  readonly onClose: () => void;
}

/** Changes amount, billing period or card, with a price preview. */
export function ChangePlanDialog({ subscription, onClose }: Props) {
  const t = useTexts('subscriptions');
  return (
    <DialogFrame isOpen onClose={onClose} title={t('do_change')}>
      <ChangeForm subscription={subscription} onClose={onClose} />
    </DialogFrame>
  );
}
