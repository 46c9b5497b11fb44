import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import { settledDemand } from '../attempts/settlement.ts';
import { feeOf } from '../ledger/fee.ts';
import type { Decision } from '../records/updater.ts';
import { type Claims, refundableOf, triggerOf } from './claims.ts';

/** A payment after outcomes of its refunds: counts refunded amounts, and releases failed ones. */
export function afterRefunds(payment: Row, refunds: readonly Row[], claims: Claims): Decision {
  const trigger = triggerOf(payment, claims);
  return {
    ...(trigger && { trigger }),
    set: {
      amount_refunded_cents: String(claims.refunded),
      amount_refundable_cents: String(refundableOf(payment, claims)),
    },
    events: refunds.filter(({ status }) => status === 'succeeded').map(() => 'refunded'),
  };
}

/** A payment after the outcome of its capture: it has succeeded, or its hold is unchanged. */
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
      ...settledDemand,
      amount_captured_cents: amount,
      amount_refundable_cents: amount,
      fee_cents: feeOf(amount, payment),
      hold_expires_at: null,
      succeeded_at: instantText(now),
    },
    events: ['succeeded'],
  };
}
