import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { isChangeable } from '../payments/decide.ts';
import { acceptsCardFrom } from '../subscriptions/customer-card.ts';
import type { Mount } from './session.ts';

/** Tables of records that a form can be mounted for. */
export const mountedTables = ['payment_demands', 'payment_subscriptions'] as const;
export type MountedTable = (typeof mountedTables)[number];

/** A payment or subscription with a mounted form. */
export interface MountedRecord {
  readonly table: MountedTable;
  readonly row: Row;
}

export async function findMounted(
  db: Db,
  scope: Scope,
  id: string,
): Promise<MountedRecord | undefined> {
  for (const table of mountedTables) {
    const row = await findRow(db, table, scope, id);
    if (row) return { table, row };
  }
  return undefined;
}

/** Whether the payment or subscription accepts a card from the form now. */
export const isOpen = (
  { table, row }: MountedRecord,
  { customer_links_epoch }: Pick<Mount, 'customer_links_epoch'>,
): boolean =>
  table === 'payment_demands'
    ? isChangeable(row.status as string)
    : acceptsCardFrom(row, customer_links_epoch);

/** Id of the payment or subscription, for events on the merchant's page. */
export const mountedReference = ({
  table,
  row,
}: MountedRecord): Readonly<Record<string, string>> => ({
  [table === 'payment_demands' ? 'payment_demand' : 'payment_subscription']: row.id as string,
});
