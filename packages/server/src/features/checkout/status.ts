import { declineCodes, isDeclineCode } from '@florin/contract/decline-codes.ts';
import type { StatusAnswer } from '@florin/contract/protocol/frame.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { findNewestRow, findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findMounted, type MountedRecord, mountedReference } from './mounted.ts';
import type { MountSession } from './session.ts';

/** Outcome of a payment or subscription since its latest card was verified. */
export async function readPaymentStatus(
  { db }: Services,
  { scope, payment_id }: Pick<MountSession, 'scope' | 'payment_id'>,
): Promise<StatusAnswer> {
  const mountedRecord = await findMounted(db, scope, payment_id);
  if (!mountedRecord) return { status: 'waiting', detail: {} };
  const detail = mountedReference(mountedRecord);
  const demand = await findCharge(db, scope, mountedRecord);
  if (isApproved(mountedRecord, demand)) return { status: 'approved', detail };
  if (demand?.status !== 'failed') return { status: 'waiting', detail };
  const method = await findRow(
    db,
    'payment_methods',
    scope,
    mountedRecord.row.payment_method_id as string,
  );
  if (isOlderFailure(demand, method)) return { status: 'waiting', detail };
  const reason = demand.failure_reason ?? '';
  const code = isDeclineCode(reason) ? reason : 'generic_decline';
  return { status: 'failed', detail: { ...detail, code, message: declineCodes[code].message } };
}

/** An active subscription without charges counts as approved. */
const isApproved = ({ row }: MountedRecord, charge: Row | undefined): boolean =>
  charge ? charge.status === 'succeeded' : row.status === 'active';

/** The payment itself; for a subscription, its latest charge. */
async function findCharge(
  db: Db,
  scope: Scope,
  { table, row }: MountedRecord,
): Promise<Row | undefined> {
  if (table === 'payment_demands') return row;
  return findNewestRow(db, 'payment_demands', scope, { payment_subscription_id: row.id as string });
}

/**
 * Whether a failure is older than the current card's verification. The form has already shown it.
 */
const isOlderFailure = (demand: Row, method: Row | undefined): boolean =>
  method !== undefined &&
  microsOf(method.created_at as string) > microsOf(demand.failed_at as string);
