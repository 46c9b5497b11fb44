import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';

/** Columns with the customer of a row. */
const CUSTOMER_COLUMNS = ['payer_id', 'customer_id'] as const;

/** Columns that refer to a row with a customer, with that row's table. */
const parentsOf = ({ payment_table = null }: Row): [string, string | null][] => [
  ['payment_demand_id', 'payment_demands'],
  ['payment_subscription_id', 'payment_subscriptions'],
  ['payment_id', payment_table],
];

/**
 * Services at the time of a row: of its customer's clock, its merchant's clock, or the default
 * timeline.
 */
export async function timelineOfRow(
  services: Services,
  scope: Scope,
  table: string,
  row: Row,
): Promise<Services> {
  const { timelines } = services;
  if (!timelines.haveCustomers(scope)) return timelines.of(scope);
  const customerId = table === 'customers' ? row.id : customerIn(row);
  return timelines.of(scope, customerId ?? (await customerOfParent(services, scope, row)));
}

const customerIn = (row: Row): string | null | undefined =>
  CUSTOMER_COLUMNS.map((column) => row[column]).find((id) => id != null);

async function customerOfParent(
  { db }: Services,
  scope: Scope,
  row: Row,
): Promise<string | null | undefined> {
  for (const [column, table] of parentsOf(row)) {
    const id = row[column];
    const parent = id && table ? await findRow(db, table, scope, id) : undefined;
    if (parent) return customerIn(parent);
  }
  return undefined;
}

/**
 * Services at the time of the row with this id in any of the tables. Without such a row: services
 * of the merchant's timeline.
 */
export async function timelineOfId(
  services: Services,
  scope: Scope,
  tables: readonly string[],
  id: string,
): Promise<Services> {
  if (!services.timelines.haveCustomers(scope)) return services.timelines.of(scope);
  for (const table of tables) {
    const row = await findRow(services.db, table, scope, id);
    if (row) return timelineOfRow(services, scope, table, row);
  }
  return services.timelines.of(scope);
}
