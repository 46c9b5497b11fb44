import { newRow } from '../../jsonapi/parse-document/rows.ts';
import type { Micros } from '../../kernel/clock.ts';
import { createGate, type Gate } from '../../kernel/gate.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import type { Db } from '../../store/db.ts';
import { writeEvents } from '../../store/events.ts';
import type { Row } from '../../store/row.ts';
import { insertRows } from '../../store/rows.ts';
import type { Scope } from '../../store/scope.ts';
import { authenticationColumns, pick } from '../payments/columns.ts';
import { due } from '../payments/decide.ts';
import type { Changed } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { firstCharge } from './billing.ts';
import { isConfirmed } from './decide.ts';

/** Transactions at once that make or retry charges outside of batches, each with a connection of its own; and those that wait. */
const CHARGING_MAX = 4;
const CHARGING_QUEUE_MAX = 500;

/** Lets a few through at a time, so that a crowd of them leaves connections to everybody else. */
export const createChargingGate = (): Gate =>
  createGate({ places: CHARGING_MAX, queue_max: CHARGING_QUEUE_MAX });

/** What a charge takes over from its subscription. */
const inherited = [
  'amount_currency',
  'description',
  'email_receipt',
  'purchase_reference',
  'purchase_kind',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
  'payer_timezone',
  'buyer_id',
  'payer_id',
  'receiver_id',
  'payment_method_id',
  'billing_address_id',
  'shipping_address_id',
] as const;

/** Makes the first charges of subscriptions that were confirmed just now, in the same transaction. */
export async function makeFirstCharges(
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
): Promise<void> {
  const charges = changed.flatMap(({ before, after }) => {
    const amount = !isConfirmed(before) && isConfirmed(after) ? firstCharge(after, now) : undefined;
    return amount === undefined ? [] : [chargeOf(services, after, amount, now)];
  });
  const model = services.models.get('payment_demands');
  const events = charges.map((charge) => eventAbout(model, charge, 'created', now));
  await insertRows(tx, services.catalog, 'payment_demands', charges);
  await writeEvents(tx, services.catalog, events);
}

/** A payment of a subscription, due at once. Its amount is in minor units. */
function chargeOf({ models }: Services, subscription: Row, amount: number, now: Micros): Row {
  const { merchant_id, mode } = subscription;
  const scope = { merchant_id: merchant_id as string, mode: mode as Scope['mode'] };
  const id = uuidv7(now);
  const nothing = { attributes: {}, relationships: {} };
  return {
    ...newRow(models.get('payment_demands'), nothing, { id, scope, now }),
    ...pick(subscription, [...inherited, ...authenticationColumns]),
    payment_subscription_id: subscription.id as string,
    idempotency_key: id,
    amount_cents: String(amount),
    confirmed: 'true',
    status: 'pending',
    ...due(now),
  };
}
