import type { Row } from '../../platform/database/row.ts';
import { findNewestRows, findRow } from '../../platform/database/rows.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Visit } from './open.ts';

/** Maximum number of charges that the page lists, the latest first. */
export const CHARGES_SHOWN = 24;
/** Maximum number of refunds on a receipt. */
const REFUNDS_SHOWN = 50;

/** Records for the page besides the subscription. */
export interface PageRecords {
  readonly card: Row | undefined;
  /** The latest charges. One more than the page lists, if there are more. */
  readonly charges: readonly Row[];
}

export async function readPageRecords(visit: Visit): Promise<PageRecords> {
  const { link, subscription, services } = visit;
  const { scope, subscription_id } = link;
  const chargeFilter = { payment_subscription_id: subscription_id };
  const [card, charges] = await Promise.all([
    findIf(visit, 'payment_methods', subscription.payment_method_id),
    findNewestRows(services.db, 'payment_demands', scope, chargeFilter, CHARGES_SHOWN + 1),
  ]);
  return { card, charges };
}

/** Records for a receipt. */
export interface Receipt {
  readonly charge: Row;
  readonly card: Row | undefined;
  readonly customer: Row | undefined;
  /** Succeeded refunds, the latest first. */
  readonly refunds: readonly Row[];
}

/** Receipt of a charge of this subscription. Undefined if the charge is unknown or unpaid. */
export async function readReceipt(visit: Visit, charge_id: string): Promise<Receipt | undefined> {
  const { db } = visit.services;
  const { scope, subscription_id } = visit.link;
  if (!isUuid(charge_id)) return undefined;
  const charge = await findRow(db, 'payment_demands', scope, charge_id);
  if (charge?.payment_subscription_id !== subscription_id || !charge.succeeded_at) return undefined;
  const refundFilter = { payment_demand_id: charge_id, status: 'succeeded' };
  const [card, customer, refunds] = await Promise.all([
    findIf(visit, 'payment_methods', charge.payment_method_id),
    findIf(visit, 'customers', charge.payer_id),
    findNewestRows(db, 'refund_demands', scope, refundFilter, REFUNDS_SHOWN),
  ]);
  return { charge, card, customer, refunds };
}

const findIf = async (
  { link, services }: Visit,
  table: string,
  id: string | null | undefined,
): Promise<Row | undefined> => (id ? findRow(services.db, table, link.scope, id) : undefined);
