import type { Db } from '../../platform/database/db.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { writeEmails } from '../emails/write.ts';
import { subscriptionOf } from '../payments/columns.ts';
import { customerLinkOf } from '../subscriptions/notices.ts';

/**
 * Writes receipts of succeeded payments whose payers want one, in the transaction that records the
 * outcome.
 */
export async function writeReceipts(
  services: Services,
  tx: Db,
  changedPayments: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const paidDemands = changedPayments
    .filter(({ before, after }) => !before.succeeded_at && after.succeeded_at)
    .map(({ after }) => after)
    .filter(({ email_receipt }) => isTrue(email_receipt));
  await writeEmails(services, tx, await receiptsOf(services, tx, paidDemands, now), now);
}

/** Writes the receipt of a succeeded payment again, also for payers who wanted none. Once per hour. */
export async function writeReceiptAgain(
  services: Services,
  tx: Db,
  payment: Row,
  now: Micros,
): Promise<void> {
  const receipts = await receiptsOf(services, tx, [payment], now);
  const repeated = receipts.map((receipt) => ({ ...receipt, again_at: now }));
  await writeEmails(services, tx, repeated, now);
}

/** Receipts with the address of the customer's page, for charges of subscriptions. */
async function receiptsOf(services: Services, tx: Db, payments: readonly Row[], now: Micros) {
  const subscriptions = await subscriptionsOf(tx, payments);
  return payments.map((payment) => {
    const subscription = subscriptions.get(keyText(subscriptionOf(payment)));
    const link = subscription && { link_url: customerLinkOf(services, subscription, now) };
    return { kind: 'receipt', payment, ...link } as const;
  });
}

/** Columns that the address of a customer's page needs. */
const LINK_COLUMNS = ['merchant_id', 'mode', 'id', 'customer_links_epoch'];

/** Subscriptions of charges, with `LINK_COLUMNS`. */
async function subscriptionsOf(tx: Db, payments: readonly Row[]): Promise<Map<string, Row>> {
  const charges = payments.filter(({ payment_subscription_id: id = null }) => id !== null);
  if (charges.length === 0) return new Map();
  const rows = await findRowsByKey(
    tx,
    'payment_subscriptions',
    charges.map(subscriptionOf),
    LINK_COLUMNS,
  );
  return new Map(rows.map((row) => [keyText(row), row]));
}
