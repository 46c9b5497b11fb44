import { declineCodes, isDeclineCode } from '@florin/contract/decline-codes.ts';
import type { StatusAnswer } from '@florin/contract/protocol/frame.ts';
import { microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { findRow } from '../../store/rows.ts';
import type { Services } from '../services.ts';
import type { MountSession } from './session.ts';

/** What became of the payment since its latest card was verified. */
export async function paymentStatus(
  { db }: Services,
  { scope, payment_id }: MountSession,
): Promise<StatusAnswer> {
  const demand = await findRow(db, 'payment_demands', scope, payment_id);
  const detail = { payment_demand: payment_id };
  if (demand?.status === 'succeeded') return { status: 'approved', detail };
  if (demand?.status !== 'failed') return { status: 'waiting', detail };
  const method = await findRow(db, 'payment_methods', scope, demand.payment_method_id as string);
  if (isOlderFailure(demand, method)) return { status: 'waiting', detail };
  const reason = demand.failure_reason ?? '';
  const code = isDeclineCode(reason) ? reason : 'generic_decline';
  return { status: 'failed', detail: { ...detail, code, message: declineCodes[code].message } };
}

/** A failure from before the present card was verified has been told already. */
const isOlderFailure = (demand: Row, method: Row | undefined): boolean =>
  method !== undefined &&
  microsOf(method.created_at as string) > microsOf(demand.failed_at as string);
