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
  claimedMessages: readonly WebhookMessage[],
): Promise<Dispatch> {
  const now = clock.now();
  const [earlierDueTimes, probes] = await Promise.all([
    earlierPending(db, claimedMessages),
    probesAmong(db, claimedMessages, now),
  ]);
  const canOpenByKey = new Map<string, boolean>();
  const canSign = (subscription: Row): boolean => {
    const key = keyText(subscription);
    const canOpen = canOpenByKey.get(key) ?? opensSecret(sealer, subscription);
    canOpenByKey.set(key, canOpen);
    return canOpen;
  };
  const changeInsteadOf = ({
    delivery,
    subscription,
  }: WebhookMessage): DeliveryChange | undefined => {
    const stopped = decideUnsent(subscription.status as string, now);
    if (stopped) return stopped;
    const earlierDueAt = earlierDueTimes.get(keyText(delivery));
    if (earlierDueAt !== undefined) return blockedDelivery(earlierDueAt, now);
    return canSign(subscription) ? undefined : unsignedDelivery(now);
  };
  const messagesWithChange = claimedMessages.map((message) => {
    if (!waitsForEndpoint(message)) return { message, change: changeInsteadOf(message) };
    const probe_until = probes.get(keyText(message.subscription));
    if (probe_until === undefined) return { message, change: deferredUntil(now) };
    return { message: { ...message, probe_until }, change: changeInsteadOf(message) };
  });
  return {
    send: messagesWithChange.flatMap(({ message, change }) => (change ? [] : [message])),
    unsent: messagesWithChange.flatMap(({ message, change }) =>
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
  claimedDeliveries: readonly ClaimedDelivery[],
): Promise<ReadonlyMap<string, string | null>> {
  const withOrderKey = claimedDeliveries.filter(({ delivery }) => delivery.order_key != null);
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
  claimedMessages: readonly WebhookMessage[],
  now: Micros,
): Promise<ReadonlyMap<string, Micros>> {
  const messagesToProbe = claimedMessages.filter(
    (message) =>
      waitsForEndpoint(message) && microsOf(message.subscription.suspended_until as string) <= now,
  );
  if (messagesToProbe.length === 0) return new Map();
  const probeEnd = now + seconds(PROBE_S);
  const probes = messagesToProbe.map(({ subscription }) => ({
    ...keyOf(subscription),
    suspended_until: subscription.suspended_until as string,
  }));
  const extendedKeys = await extendSuspensions(db, probes, instantText(probeEnd));
  return new Map(extendedKeys.map((row) => [keyText(row), probeEnd]));
}
