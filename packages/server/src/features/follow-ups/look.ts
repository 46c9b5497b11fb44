import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { reservedAmountsOf } from '../ledger/sql/reserved-amounts.ts';
import { createMaySend, type MaySend } from './claims.ts';
import type { FollowUpKind } from './kinds.ts';

interface Looked {
  readonly payments: ReadonlyMap<string, Row>;
  readonly maySend: MaySend;
}

/**
 * Locks the payments of follow-ups to be sent, and checks their remaining amounts. A capture needs
 * the hold unused.
 */
export async function lookAtPayments(
  tx: Db,
  kind: FollowUpKind,
  keys: readonly RowKey[],
): Promise<Looked> {
  const payments = await lockRows(tx, 'payment_demands', keys);
  const claims = kind.operation === 'refund' ? await reservedAmountsOf(tx, keys) : new Map();
  return { payments, maySend: createMaySend(kind, claims) };
}
