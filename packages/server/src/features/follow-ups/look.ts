import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { lockRows, type RowKey } from '../../platform/database/transition.ts';
import { claimsOf } from '../ledger/sql/payment-claims.ts';
import { createMaySend, type MaySend } from './claims.ts';
import type { FollowUpKind } from './kinds.ts';

interface Looked {
  readonly payments: ReadonlyMap<string, Row>;
  readonly maySend: MaySend;
}

/** Locks the payments of follow-ups that are to be sent, and looks at what is left of them. A capture takes what nobody has yet. */
export async function lookAtPayments(
  tx: Db,
  kind: FollowUpKind,
  keys: readonly RowKey[],
): Promise<Looked> {
  const payments = await lockRows(tx, 'payment_demands', keys);
  const claims = kind.operation === 'refund' ? await claimsOf(tx, keys) : new Map();
  return { payments, maySend: createMaySend(kind, claims) };
}
