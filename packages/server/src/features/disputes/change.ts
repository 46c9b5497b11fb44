import { disputeMachine } from '@florin/contract/machines/dispute.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { applyDemandDecisions } from '../attempts/apply-demand-decisions.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { postDispute } from '../ledger/post.ts';
import { findReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import { applyDecisions } from '../records/apply-decisions.ts';
import type { Decision } from '../records/updater.ts';
import { decidePayment } from './decide.ts';
import { notifyOfDecision } from './notify-members.ts';

/** Decision about a locked dispute. `internal`: clients see no change. */
export type ChangeOfDispute = (Decision & { readonly internal?: boolean }) | undefined;

/**
 * Changes a dispute, its payment and the ledger in one transaction. Locks the dispute before its
 * payment.
 */
export async function changeDispute(
  services: Services,
  tx: Db,
  key: RowKey,
  decide: (dispute: Row) => ChangeOfDispute,
  now: Micros,
): Promise<void> {
  const before = (await lockRows(tx, 'disputes', [key])).get(keyText(key));
  const decision = before && decide(before);
  if (!decision) return;
  const [after] = await applyDecisions(services, tx, 'disputes', now, [{ before, ...decision }]);
  // A dispute that needs a response again is as open as before: its opening is posted already.
  const isNew = after && after.status !== before.status && after.status !== disputeMachine.initial;
  if (!isNew) return;
  await emitReactions(services, tx, after, now, before.status);
  await notifyOfDecision(services, tx, after);
}

/**
 * Makes the follow-on changes of a dispute's new state; `before` is the one before. Locks the payment before it posts
 * transfers and reads its reserved amounts. Throws if a sandbox reset has removed the payment.
 */
export async function emitReactions(
  services: Services,
  tx: Db,
  dispute: Row,
  now: Micros,
  before?: Row['status'],
): Promise<void> {
  const key = paymentOf(dispute);
  const payment = (await lockRows(tx, 'payment_demands', [key])).get(keyText(key));
  if (dispute.payment_demand_id && !payment)
    throw new Error(`the payment of dispute ${dispute.id} was removed: ${keyText(key)}`);
  await postDispute(services, tx, dispute, now, before);
  const reservedAmounts = (await findReservedAmounts(tx, [key])).get(keyText(key));
  const decision = payment && reservedAmounts && decidePayment(payment, reservedAmounts);
  if (!decision) return;
  const change = { before: payment, ...decision };
  await applyDemandDecisions(services, tx, 'payment_demands', now, [change]);
}
