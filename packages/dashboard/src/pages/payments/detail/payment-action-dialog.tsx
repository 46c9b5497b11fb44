import { useAction } from '../../../api/queries.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ConfirmDialog } from '../../../parts/form/confirm-dialog.tsx';
import { isDestructive } from '../../../parts/form/destructive-actions.ts';
import { useAmountText } from '../../../parts/value/money.tsx';

/** Actions of a payment that need no input. */
export type PlainAction = 'confirm' | 'cancel' | 'void';

interface Props {
  readonly action: PlainAction;
  readonly payment: RecordOf<'payment_demands'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Explains an action's effect and asks for confirmation. */
export function PaymentActionDialog({ action, payment, isOpen, onClose }: Props) {
  const t = useTexts('payments');
  const notify = useNotify();
  const amountText = useAmountText();
  const paymentAction = useAction('payment_demands', payment.id, action);
  const { amount_cents, amount_captured_cents, amount_currency, status } = payment.attributes;
  const captured = amount_captured_cents ?? 0;
  const amount = amountText(amount_cents - captured, amount_currency);
  const name = action === 'confirm' && status === 'failed' ? 'retry' : action;
  const onSuccess = () => {
    notify(t(`done_${name}`));
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t(`do_${name}`)}
      text={t(captured > 0 ? 'effect_void_rest' : `effect_${name}`, {
        amount,
        captured: amountText(captured, amount_currency),
      })}
      confirmText={t(`do_${name}`)}
      danger={isDestructive(action)}
      isPending={paymentAction.isPending}
      error={paymentAction.error}
      onConfirm={() => paymentAction.mutate({}, { onSuccess })}
    />
  );
}
