import type { Row } from '../../platform/database/row.ts';
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
 * Change of a payment by the outcome of its capture. A failed capture leaves the hold unchanged.
 */
export function afterCapture(payment: Row, capture: Row, now: Micros): Decision {
  if (capture.status === 'failed') {
    return {
      trigger: 'keep',
      set: { due_at: payment.hold_expires_at ?? null },
      events: ['updated'],
    };
  }
  const amount = capture.amount_cents as string;
  return {
    trigger: 'approve',
    set: {
      ...finishedDemand,
      amount_captured_cents: amount,
      amount_refundable_cents: amount,
      fee_cents: feeOf(amount, payment),
      hold_expires_at: null,
      succeeded_at: instantText(now),
    },
    events: ['succeeded'],
  };
}
