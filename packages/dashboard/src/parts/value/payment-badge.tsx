import {
  type PaymentStateFacts,
  type PaymentStateName,
  paymentStateOf,
} from '@florin/contract/payment-state.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useAmountText } from './money.tsx';
import { StateBadge } from './state-badge.tsx';
import type { StateTone } from './state-tone.ts';

const tones: Readonly<Record<PaymentStateName, StateTone>> = {
  incomplete: 'neutral',
  ready: 'neutral',
  processing: 'busy',
  to_capture: 'attention',
  succeeded: 'good',
  partly_captured: 'good',
  partly_refunded: 'neutral',
  refunded: 'neutral',
  disputed: 'bad',
  dispute_lost: 'bad',
  failed: 'bad',
  canceled: 'neutral',
  hold_expired: 'neutral',
  paid_by_credit: 'neutral',
};

interface Props {
  readonly payment: PaymentStateFacts & { readonly amount_currency: string };
  /** Whether the payment's amount stands beside the badge, in a column of its own. */
  readonly isBesideAmount?: boolean;
}

/** State of a payment in words for people, such as "Partly refunded $14.00". */
export function PaymentBadge({ payment, isBesideAmount = false }: Props) {
  const t = useTexts('records');
  const amountText = useAmountText();
  const { name, cents } = paymentStateOf(payment);
  const amount = cents === undefined ? '' : amountText(cents, payment.amount_currency);
  const total = amountText(payment.amount_cents ?? 0, payment.amount_currency);
  const isShort = isBesideAmount && name === 'partly_captured';
  const label = t(`payment_is_${isShort ? 'partly_captured_short' : name}`, { amount, total });
  return <StateBadge state={name} tone={tones[name]} label={label} />;
}
