import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import type { ReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import type { FollowUpKind } from './kinds.ts';

/**
 * Minor units by which refunds and disputes exceed the captured amount. Negative while an amount
 * remains.
 */
const excessOf = (
  { amount_captured_cents }: Row,
  { refunded, reserved, open, lost }: ReservedAmounts,
): number => refunded + reserved + open + lost - Number(amount_captured_cents);

/** Minor units that can still be refunded. Subtracts open and lost disputes too. */
export const refundableOf = (payment: Row, amounts: ReservedAmounts): number =>
  Math.max(0, 0 - excessOf(payment, amounts));

/**
 * State of a captured payment. `reversed`: lost disputes, with refunds, have used the complete amount.
 * This state is final, since neither can be undone.
 */
export function stateOf(
  payment: Row,
  { refunded, open, lost }: ReservedAmounts,
): PaymentDemandState {
  if (lost > 0 && lost + refunded >= Number(payment.amount_captured_cents)) return 'reversed';
  return open > 0 ? 'disputed' : 'succeeded';
}

const triggerByState: Readonly<Partial<Record<PaymentDemandState, string>>> = {
  disputed: 'dispute',
  reversed: 'reverse',
  succeeded: 'close',
};

/**
 * Trigger that changes a captured payment to the state that follows from its reserved amounts.
 * Undefined if the payment already has this state.
 */
export function triggerOf(payment: Row, amounts: ReservedAmounts): string | undefined {
  const state = stateOf(payment, amounts);
  return state === payment.status ? undefined : triggerByState[state];
}

/**
 * Follow-ups that may be sent: the payment has the required state, and refunds and disputes do not
 * exceed its amount. A refused follow-up releases its amount for the next ones.
 */
export function filterSendable(
  { required_payment_state }: Pick<FollowUpKind, 'required_payment_state'>,
  followUps: readonly Row[],
  payments: ReadonlyMap<string, Row>,
  reservedByPayment: ReadonlyMap<string, ReservedAmounts>,
): ReadonlySet<Row> {
  const releasedCents = new Map<string, number>();
  const isSendable = (followUp: Row): boolean => {
    const key = keyText(paymentOf(followUp));
    const payment = payments.get(key);
    if (payment?.status !== required_payment_state) return false;
    const [reservedAmounts, freedCents] = [reservedByPayment.get(key), releasedCents.get(key) ?? 0];
    if (!reservedAmounts || excessOf(payment, reservedAmounts) <= freedCents) return true;
    releasedCents.set(key, freedCents + Number(followUp.amount_cents));
    return false;
  };
  return new Set(followUps.filter(isSendable));
}
