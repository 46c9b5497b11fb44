import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';

/** Claimed delivery with its event and subscription. */
export interface ClaimedDelivery {
  readonly delivery: Row;
  readonly event: Row;
  readonly subscription: Row;
}

/** Loads events and subscriptions of claimed deliveries, with one query for each. */
export async function loadClaimedDeliveries(
  db: Db,
  deliveries: readonly Row[],
): Promise<ClaimedDelivery[]> {
  const [events, subscriptions] = await Promise.all([
    loadBy(db, 'events', 'event_id', deliveries),
    loadBy(db, SUBSCRIPTIONS, SUBSCRIPTION, deliveries),
  ]);
  return deliveries.flatMap((delivery) => {
    const event = events.get(`${delivery.merchant_id} ${delivery.event_id}`);
    const subscription = subscriptions.get(subscriptionKey(delivery));
    return event && subscription ? [{ delivery, event, subscription }] : [];
  });
}

/** Loads the subscriptions of claimed deliveries again. */
export async function withSubscriptions<P extends ClaimedDelivery>(
  db: Db,
  claimedDeliveries: readonly P[],
): Promise<P[]> {
  const deliveries = claimedDeliveries.map(({ delivery }) => delivery);
  const subscriptions = await loadBy(db, SUBSCRIPTIONS, SUBSCRIPTION, deliveries);
  return claimedDeliveries.map((delivery) => ({
    ...delivery,
    subscription: subscriptions.get(subscriptionKey(delivery.delivery)) ?? delivery.subscription,
  }));
}

const [SUBSCRIPTIONS, SUBSCRIPTION] = ['webhook_subscriptions', 'webhook_subscription_id'];
const subscriptionKey = ({ merchant_id, webhook_subscription_id }: Row): string =>
  `${merchant_id} ${webhook_subscription_id}`;

async function loadBy(
  db: Db,
  table: string,
  column: string,
  deliveries: readonly Row[],
): Promise<ReadonlyMap<string, Row>> {
  const keys = deliveries.map((delivery) => ({
    merchant_id: delivery.merchant_id as string,
    id: delivery[column] as string,
  }));
  const rows = await findRowsByKey(db, table, keys);
  return new Map(rows.map((row) => [keyText(row), row]));
}
