import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { findReservedAmounts } from '../ledger/sql/reserved-amounts.ts';
import type { FollowUpKind } from './kinds.ts';
import { filterSendable } from './payment-state.ts';

/**
 * Locks the payments of follow-ups and returns the follow-ups that may be sent. A refund needs an
 * amount that no other refund or dispute uses.
 */
export async function lockSendable(
  tx: Db,
  kind: FollowUpKind,
  followUps: readonly Row[],
): Promise<ReadonlySet<Row>> {
  const keys = followUps.map(paymentOf);
  const payments = await lockRows(tx, 'payment_demands', keys);
  const amountsByPayment =
    kind.operation === 'refund' ? await findReservedAmounts(tx, keys) : new Map();
  return filterSendable(kind, followUps, payments, amountsByPayment);
}
