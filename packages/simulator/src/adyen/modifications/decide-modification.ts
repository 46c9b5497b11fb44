import { isDeclinedCapture, isDeclinedRefund } from '../../faults.ts';
import { isoUnitsOf } from '../money-rules.ts';
import type { AdyenPayment, Modification } from '../records.ts';
import { type AdyenBalances, capturableAmountOf } from './balances.ts';

/** Outcome of a modification. `reason` is present if it is refused. */
export interface ModificationOutcome {
  readonly reason?: string;
  /** Effect of a reversal, with the amount that it refunds. */
  readonly action?: 'cancel' | 'refund';
  readonly amount?: number;
}

/** A payment with its sums, when the outcome of a modification is due. */
export interface ModifiedPayment {
  readonly payment: AdyenPayment;
  readonly balances: AdyenBalances;
  readonly allowsSeveralCaptures: boolean;
}

const NOT_ENOUGH: ModificationOutcome = { reason: 'Insufficient balance on payment' };
const NOT_OPEN: ModificationOutcome = { reason: 'Transaction cannot be cancelled' };
const REFUSED_BY_ACQUIRER: ModificationOutcome = { reason: 'Refused by the acquirer' };
const SEVERAL_CAPTURES: ModificationOutcome = {
  reason: 'Payment with several captures cannot be reversed',
};

/** Decides a modification of a payment. Deterministic. */
export function decideModification(
  modification: Modification,
  state: ModifiedPayment,
): ModificationOutcome {
  switch (modification.kind) {
    case 'capture':
      return decideCapture(modification, state);
    case 'refund':
      return decideRefund(modification, state);
    case 'reversal':
      return decideReversal(state);
    default:
      return isCancellable(state) ? {} : NOT_OPEN;
  }
}

/** Whether a payment is authorised, and nothing of it is captured. */
export const isCancellable = ({ payment, balances }: ModifiedPayment): boolean =>
  payment.status === 'authorised' && balances.captures === 0;

function decideCapture(
  { amount, currency }: Modification,
  { payment, balances, allowsSeveralCaptures }: ModifiedPayment,
): ModificationOutcome {
  const capturable = capturableAmountOf(payment, balances, allowsSeveralCaptures);
  if (currency !== payment.currency || amount > capturable) return NOT_ENOUGH;
  return isDeclinedCapture(isoUnitsOf({ value: amount, currency })) ? REFUSED_BY_ACQUIRER : {};
}

function decideRefund(
  { amount, currency }: Modification,
  { payment, balances }: ModifiedPayment,
): ModificationOutcome {
  const refundable = balances.captured - balances.refunded;
  if (currency !== payment.currency || amount > refundable) return NOT_ENOUGH;
  return isDeclinedRefund(isoUnitsOf({ value: amount, currency })) ? REFUSED_BY_ACQUIRER : {};
}

function decideReversal(state: ModifiedPayment): ModificationOutcome {
  if (isCancellable(state)) return { action: 'cancel', amount: 0 };
  const { captures, captured, refunded } = state.balances;
  if (captures > 1) return SEVERAL_CAPTURES;
  return captured > refunded ? { action: 'refund', amount: captured - refunded } : NOT_OPEN;
}
