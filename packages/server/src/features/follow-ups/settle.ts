import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { keyText, lockRows } from '../../store/transition.ts';
import { applyChanges } from '../attempts/apply-changes.ts';
import { createSettler, type Settler } from '../attempts/settle.ts';
import type { Also, Changed, Decision } from '../records/updater.ts';
import type { Services } from '../services.ts';
import type { FollowUpKind } from './kinds.ts';
import { afterCapture, afterRefunds } from './payment-after.ts';
import { paymentOf } from './payment-of.ts';
import { postFollowUps } from './post.ts';
import { decideFollowUpSettlement, type FollowUpOutcome } from './settlement.ts';

export type FollowUpSettler = Settler<FollowUpOutcome>;

/** What follow-ups that have an outcome do to the payment that they are of. Pure. */
type PaymentAfter = (payment: Row, settled: readonly Row[], now: number) => Decision;

const paymentAfter: Readonly<Record<FollowUpKind['operation'], PaymentAfter>> = {
  refund: afterRefunds,
  capture: (payment, [capture], now) => afterCapture(payment, capture as Row, now),
};

/** Records what follow-ups of one kind came to, with their payments. */
export const createFollowUpSettler = (services: Services, kind: FollowUpKind): FollowUpSettler =>
  createSettler(services, {
    table: kind.table,
    decide: decideFollowUpSettlement,
    also: afterFollowUps(services, kind),
  });

const isSettled = ({ before, after }: Changed): boolean =>
  before.status !== after.status && (after.status === 'succeeded' || after.status === 'failed');

/** A payment is locked after what follows it up; who locks it first only adds to them. One change tells of all. */
export const afterFollowUps =
  (services: Services, kind: FollowUpKind): Also =>
  async (tx: Db, changed, now) => {
    await postFollowUps(services, kind, tx, changed, now);
    const settled = changed.filter(isSettled).map(({ after }) => after);
    if (settled.length === 0) return;
    const payments = await lockRows(tx, 'payment_demands', settled.map(paymentOf));
    const byPayment = Map.groupBy(settled, (one) => keyText(paymentOf(one)));
    const changes = [...byPayment].map(([key, ofPayment]) => {
      const before = payments.get(key) as Row;
      return { before, ...paymentAfter[kind.operation](before, ofPayment, now) };
    });
    await applyChanges(services, tx, 'payment_demands', now, changes);
  };
