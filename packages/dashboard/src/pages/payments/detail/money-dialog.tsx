import { type SendKey, useSendKey } from '../../../api/keys.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { MoneyForm } from './money-form.tsx';

/** What a payment is asked for with an amount. */
export type MoneyKind = 'refund' | 'capture';

export interface MoneyProps {
  readonly kind: MoneyKind;
  readonly payment: RecordOf<'payment_demands'>;
  readonly onClose: () => void;
}

export interface KeyedProps extends MoneyProps {
  /** Outlives the form: who opens it again after an answer that never came sends the same thing. */
  readonly sendKey: SendKey;
}

/** Gives money of a payment back, or collects what is held: all of it or a part. */
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
