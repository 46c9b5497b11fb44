import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { PROBE_S } from './breaker.ts';
import {
  blockedDelivery,
  type DeliveryChange,
  decideUnsent,
  deferredUntil,
  unsignedDelivery,
} from './delivery.ts';
import type { ClaimedDelivery } from './load.ts';
import { opensSecret } from './signing/secrets.ts';
import { extendSuspensions } from './sql/claims.ts';
import { waitingDeliveries } from './sql/order.ts';

/** Claimed delivery to be sent. */
export interface WebhookMessage extends ClaimedDelivery {
  /** Set for probes: end of the suspension, which was extended for the probe. */
  readonly probe_until?: Micros;
}

/** Claimed deliveries, divided by their next step. */
export interface Dispatch {
  readonly send: readonly WebhookMessage[];
  readonly unsent: readonly { readonly delivery: Row; readonly change: DeliveryChange }[];
}

/**
 * Divides claimed deliveries into messages to send, and deliveries that wait or end. A probe stays
 * a probe.
 */
export async function divideClaimedDeliveries(
  { db, clock, sealer }: Pick<Services, 'db' | 'clock' | 'sealer'>,
  claimed: readonly WebhookMessage[],
): Promise<Dispatch> {
  const now = clock.now();
  const [held, probes] = await Promise.all([
    earlierPending(db, claimed),
    probesAmong(db, claimed, now),
  ]);
  const signing = new Map<string, boolean>();
  const canSign = (subscription: Row): boolean => {
    const key = keyText(subscription);
    const canOpen = signing.get(key) ?? opensSecret(sealer, subscription);
    signing.set(key, canOpen);
    return canOpen;
  };
  const changeInsteadOf = ({
    delivery,
    subscription,
  }: WebhookMessage): DeliveryChange | undefined => {
    const stopped = decideUnsent(subscription.status as string, now);
    if (stopped) return stopped;
    const first = held.get(keyText(delivery));
    if (first !== undefined) return blockedDelivery(first, now);
    return canSign(subscription) ? undefined : unsignedDelivery(now);
  };
  const sorted = claimed.map((message) => {
    if (!waitsForEndpoint(message)) return { message, change: changeInsteadOf(message) };
    const probe_until = probes.get(keyText(message.subscription));
    if (probe_until === undefined) return { message, change: deferredUntil(now) };
    return { message: { ...message, probe_until }, change: changeInsteadOf(message) };
  });
  return {
    send: sorted.flatMap(({ message, change }) => (change ? [] : [message])),
    unsent: sorted.flatMap(({ message, change }) =>
      change ? [{ delivery: message.delivery, change }] : [],
    ),
  };
}

/**
 * Whether a delivery waits for the end of its endpoint's suspension. Retries keep their schedule
 * instead.
 */
const waitsForEndpoint = ({ delivery, subscription, probe_until }: WebhookMessage): boolean =>
  probe_until === undefined &&
  subscription.suspended_until != null &&
  delivery.schedule_step === '0';

/** Deliveries that an earlier pending delivery blocks, with that delivery's due time. */
async function earlierPending(
  db: Db,
  claimed: readonly ClaimedDelivery[],
): Promise<ReadonlyMap<string, string | null>> {
  const withOrderKey = claimed.filter(({ delivery }) => delivery.order_key != null);
  if (withOrderKey.length === 0) return new Map();
  const rows = await waitingDeliveries(
    db,
    withOrderKey.map(({ delivery }) => keyOf(delivery)),
  );
  return new Map(rows.map((row) => [keyText(row), row.due_at ?? null]));
}

/**
 * Subscriptions whose suspension has ended and whose endpoint this process may probe, with the end
 * of the probe.
 */
async function probesAmong(
  db: Db,
  claimed: readonly WebhookMessage[],
  now: Micros,
): Promise<ReadonlyMap<string, Micros>> {
  const ended = claimed.filter(
    (message) =>
      waitsForEndpoint(message) && microsOf(message.subscription.suspended_until as string) <= now,
  );
  if (ended.length === 0) return new Map();
  const until = now + seconds(PROBE_S);
  const probes = ended.map(({ subscription }) => ({
    ...keyOf(subscription),
    suspended_until: subscription.suspended_until as string,
  }));
  const extended = await extendSuspensions(db, probes, instantText(until));
  return new Map(extended.map((row) => [keyText(row), until]));
}
