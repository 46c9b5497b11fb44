import { useSendKey } from '../../../api/keys.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { MoneyForm, type MoneyProps } from './money-form.tsx';

/** Refunds or captures all or part of a payment. */
export function MoneyDialog({ isOpen, ...props }: MoneyProps & { readonly isOpen: boolean }) {
  const t = useTexts('payments');
  const sendKey = useSendKey();
  return (
    <DialogFrame
      isOpen={isOpen}
      onClose={props.onClose}
      title={t(props.kind === 'refund' ? 'refund_title' : 'capture_title')}
    >
      <MoneyForm {...props} sendKey={sendKey} />
    </DialogFrame>
  );
}
