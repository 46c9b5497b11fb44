import type { Micros } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { keyText, lockRows } from '../../store/transition.ts';
import { applyDecisions } from '../attempts/apply.ts';
import { createSettler, type Settler } from '../attempts/settle.ts';
import type { Changed } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { paymentOf } from './payment-of.ts';
import { decideRefundSettlement, type RefundOutcome } from './settlement.ts';

export type RefundSettler = Settler<RefundOutcome>;

/** Records what refunds came to, with the payments they were made of. */
export const createRefundSettler = (services: Services): RefundSettler =>
  createSettler(services, {
    table: 'refund_demands',
    decide: decideRefundSettlement,
    also: (tx, changed, now) => addToPayments(services, tx, changed, now),
  });

/**
 * A payment is locked after its refunds; who locks it first only adds to them. One change tells of all
 * refunds of a payment, with an event for each.
 */
async function addToPayments(
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
): Promise<void> {
  const succeeded = changed
    .filter(({ before, after }) => before.status !== after.status && after.status === 'succeeded')
    .map(({ after }) => after);
  if (succeeded.length === 0) return;
  const payments = await lockRows(tx, 'payment_demands', succeeded.map(paymentOf));
  const byPayment = Map.groupBy(succeeded, (refund) => keyText(paymentOf(refund)));
  const changes = [...byPayment].map(([key, refunds]) => {
    const before = payments.get(key) as Row;
    const set = { amount_refunded_cents: String(refundedWith(before, refunds)) };
    return { before, set, events: refunds.map(() => 'refunded') };
  });
  await applyDecisions(services, tx, 'payment_demands', now, changes);
}

/** Minor units. */
const refundedWith = ({ amount_refunded_cents }: Row, refunds: readonly Row[]): number =>
  refunds.reduce(
    (sum, { amount_cents }) => sum + Number(amount_cents),
    Number(amount_refunded_cents),
  );
