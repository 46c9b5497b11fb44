import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyText } from '../../../platform/database/row-key.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { lockRows } from '../../../platform/database/transition.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { authenticationColumns, pickColumns } from '../../payments/columns.ts';
import { applyDecisions } from '../../records/apply-decisions.ts';
import type { Decision } from '../../records/updater.ts';
import {
  type Attachment,
  AttachRefusal,
  decideAttach,
  decideAttachToSubscription,
} from '../attach.ts';
import { countAttached } from '../count-declines.ts';
import type { MountedTable } from '../mounted.ts';
import { clearedColumns } from './decide.ts';
import { changeAuthentication, lockAuthentication } from './record.ts';
import { findNewestAuthentication } from './sql.ts';

const decideByTable = {
  payment_demands: decideAttach,
  payment_subscriptions: decideAttachToSubscription,
} as const;

/** Whether the card may be attached to its payment and is not attached yet. */
export const isUnattached = (row: Row): boolean =>
  (row.status === 'authenticated' || row.status === 'unauthenticated') &&
  (row.attached_at ?? null) === null &&
  (row.failure_code ?? null) === null;

/**
 * Attaches a usable card to its payment once. If the payment has changed, the authentication stores
 * the reason. Locks payments before authentications. Returns the authentication after the change.
 */
export async function attachCard(services: Services, storedRow: Row): Promise<Row> {
  if (!isUnattached(storedRow)) return storedRow;
  const { merchant_id, mode, id, payment_id } = storedRow as Record<string, string>;
  const scope = { merchant_id, mode } as Scope;
  const table = storedRow.payment_table as MountedTable;
  const changedRow = await services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const key = { merchant_id: scope.merchant_id, id: payment_id as string };
    const payment = (await lockRows(tx, table, [key])).get(keyText(key));
    const row = await lockAuthentication(tx, { ...scope, id: id as string });
    if (!row || !payment || !isUnattached(row)) return row ?? storedRow;
    const newest = await findNewestAuthentication(tx, scope, key.id);
    if (newest && newest.id !== row.id)
      return refuseAttachment(services, tx, row, now, 'challenge_replaced');
    return attach(services, tx, { table, payment, row, now });
  });
  services.wake.deliver.raise();
  return changedRow;
}

interface AttachInput {
  readonly table: MountedTable;
  readonly payment: Row;
  readonly row: Row;
  readonly now: Micros;
}

async function attach(
  services: Services,
  tx: Db,
  { table, payment, row, now }: AttachInput,
): Promise<Row> {
  const decision = decideAttachment({ table, payment, row, now });
  if (decision instanceof AttachRefusal)
    return refuseAttachment(services, tx, row, now, decision.code);
  await applyDecisions(services, tx, table, now, [{ before: payment, ...decision }]);
  const set = { attached_at: instantText(now), ...clearedColumns };
  const attachedRow = await changeAuthentication(services, tx, row, now, { set });
  if (row.try_counters) await countAttached(services, tx, row.try_counters as string);
  return attachedRow;
}

const refuseAttachment = (
  services: Services,
  tx: Db,
  row: Row,
  now: Micros,
  failure_code: string,
): Promise<Row> =>
  changeAuthentication(services, tx, row, now, { set: { failure_code, ...clearedColumns } });

function decideAttachment({ table, payment, row, now }: AttachInput): Decision | AttachRefusal {
  try {
    return decideByTable[table](payment, attachmentOf(row), now);
  } catch (error) {
    if (error instanceof AttachRefusal) return error;
    throw error;
  }
}

const attachmentOf = (row: Row): Attachment => ({
  method_id: row.payment_method_id as string,
  results: {
    ...pickColumns(row, authenticationColumns),
    threeds_source: row.threeds_status ? 'verified' : null,
  },
  amount_cents: row.amount_cents as string,
  amount_currency: row.amount_currency as string,
  timezone: row.payer_timezone ?? null,
  threeds: row.threeds_policy as Attachment['threeds'],
  ...(row.customer_links_epoch != null && {
    customer_links_epoch: Number(row.customer_links_epoch),
  }),
});
