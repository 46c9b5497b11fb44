import { instantText, type Micros } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { settledDemand } from '../attempts/settlement.ts';
import { feeOf } from '../ledger/fee.ts';
import type { Decision } from '../records/updater.ts';

/** Minor units. */
const sumOf = (rows: readonly Row[], status: string): number =>
  rows
    .filter((row) => row.status === status)
    .reduce((sum, { amount_cents }) => sum + Number(amount_cents), 0);

/** A payment whose refunds have an outcome: what has gone back is counted, what failed can be refunded again. */
export function afterRefunds(payment: Row, refunds: readonly Row[]): Decision {
  const [refunded, released] = [sumOf(refunds, 'succeeded'), sumOf(refunds, 'failed')];
  return {
    set: {
      amount_refunded_cents: String(Number(payment.amount_refunded_cents) + refunded),
      amount_refundable_cents: String(Number(payment.amount_refundable_cents) + released),
    },
    events: refunds.filter(({ status }) => status === 'succeeded').map(() => 'refunded'),
  };
}

/** A payment whose capture has an outcome: it has succeeded, or its hold stays as it was. */
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
