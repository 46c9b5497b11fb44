import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../platform/database/row-key.ts';
import type { Changed } from '../../platform/database/transition.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { createSettler, type Settler } from '../attempts/settle.ts';
import { type ReservedAmounts, reservedAmountsOf } from '../ledger/sql/reserved-amounts.ts';
import type { Also, Decision } from '../records/updater.ts';
import type { FollowUpKind } from './kinds.ts';
import { afterCapture, afterRefunds } from './payment-after.ts';
import { paymentOf } from './payment-of.ts';
import { postFollowUps } from './post.ts';
import { decideFollowUpSettlement, type FollowUpOutcome } from './settlement.ts';

export type FollowUpSettler = Settler<FollowUpOutcome>;

/** Effect of finished follow-ups on their payment, by its key. */
type PaymentAfter = (key: string, payment: Row, settled: readonly Row[]) => Decision;

async function paymentAfter(
  { operation }: FollowUpKind,
  tx: Db,
  payments: readonly RowKey[],
  now: Micros,
): Promise<PaymentAfter> {
  if (operation === 'capture') {
    return (_key, payment, [capture]) => afterCapture(payment, capture as Row, now);
  }
  const claims = await reservedAmountsOf(tx, payments);
  return (key, payment, refunds) =>
    afterRefunds(payment, refunds, claims.get(key) as ReservedAmounts);
}

/** Records outcomes of one kind of follow-up, with their payments. */
export const createFollowUpSettler = (services: Services, kind: FollowUpKind): FollowUpSettler =>
  createSettler(services, {
    table: kind.table,
    decide: decideFollowUpSettlement,
    also: afterFollowUps(services, kind),
  });

const isSettled = ({ before, after }: Changed): boolean =>
  before.status !== after.status && (after.status === 'succeeded' || after.status === 'failed');

/**
 * A payment is locked after its follow-ups, so that nobody waits for more than these. One change
 * covers them all.
 */
export const afterFollowUps =
  (services: Services, kind: FollowUpKind): Also =>
  async (tx: Db, changed, now) => {
    await postFollowUps(services, kind, tx, changed, now);
    const settled = changed.filter(isSettled).map(({ after }) => after);
    if (settled.length === 0) return;
    const payments = await lockRows(tx, 'payment_demands', settled.map(paymentOf));
    const decide = await paymentAfter(kind, tx, [...payments.values()].map(keyOf), now);
    const byPayment = Map.groupBy(settled, (one) => keyText(paymentOf(one)));
    const changes = [...byPayment].map(([key, ofPayment]) => {
      const before = payments.get(key) as Row;
      return { before, ...decide(key, before, ofPayment) };
    });
    await applyDemandDecisions(services, tx, 'payment_demands', now, changes);
  };
