import { isTrue, type Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { finishedDemand } from '../attempts/decide-outcome.ts';
import { feeOf } from '../ledger/fee.ts';
import type { ReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import type { Decision } from '../records/updater.ts';
import { refundableOf, triggerOf } from './payment-state.ts';

/**
 * Change of a payment by outcomes of its refunds. Adds refunded amounts and releases the amounts of
 * failed refunds.
 */
export function afterRefunds(
  payment: Row,
  refunds: readonly Row[],
  amounts: ReservedAmounts,
): Decision {
  const trigger = triggerOf(payment, amounts);
  return {
    ...(trigger && { trigger }),
    set: {
      amount_refunded_cents: String(amounts.refunded),
      amount_refundable_cents: String(refundableOf(payment, amounts)),
    },
    events: refunds.filter(({ status }) => status === 'succeeded').map(() => 'refunded'),
  };
}

/**
 * Change of a payment by the outcome of its capture. A failed capture leaves the hold unchanged, and
 * one that is not final leaves the rest of the hold. The hold then expires at its original time.
 */
export function afterCapture(payment: Row, capture: Row, now: Micros): Decision {
  const isFailed = capture.status === 'failed';
  const amounts = isFailed ? {} : amountsAfter(payment, capture);
  if (isFailed || !isTrue(capture.final)) {
    const set = { ...amounts, due_at: payment.hold_expires_at ?? null };
    return { trigger: 'keep', set, events: ['updated'] };
  }
  const set = { ...finishedDemand, ...amounts, hold_expires_at: null };
  return {
    trigger: 'approve',
    set: { ...set, succeeded_at: instantText(now) },
    events: ['succeeded'],
  };
}

/** Amounts and fee of a payment after one more capture. Nothing is refunded before the last one. */
function amountsAfter(payment: Row, { amount_cents }: Row): Row {
  const captured = BigInt(payment.amount_captured_cents ?? 0) + BigInt(amount_cents ?? 0);
  const amount = String(captured);
  const fee_cents = feeOf(amount, payment);
  return { amount_captured_cents: amount, amount_refundable_cents: amount, fee_cents };
}
