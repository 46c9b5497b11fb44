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
  postponed,
  unsignedDelivery,
} from './delivery.ts';
import type { Parcel } from './load.ts';
import { opensSecret } from './signing/secrets.ts';
import { takeProbes } from './sql/claims.ts';
import { waitingDeliveries } from './sql/order.ts';

/** A claimed delivery that is to be sent. */
export interface Letter extends Parcel {
  /** Probes only: the extended suspension under which the probe is sent. */
  readonly probe_until?: Micros;
}

/** Next steps for claimed deliveries. */
export interface Dispatch {
  readonly send: readonly Letter[];
  readonly keep: readonly { readonly delivery: Row; readonly change: DeliveryChange }[];
}

/**
 * Divides claimed deliveries into those to send, those that wait, and finished ones. A probe stays
 * a probe.
 */
export async function dispatchOf(
  { db, clock, sealer }: Pick<Services, 'db' | 'clock' | 'sealer'>,
  parcels: readonly Letter[],
): Promise<Dispatch> {
  const now = clock.now();
  const [held, probes] = await Promise.all([
    earlierOnes(db, parcels),
    probesAmong(db, parcels, now),
  ]);
  const signing = new Map<string, boolean>();
  const canSign = (subscription: Row): boolean => {
    const key = keyText(subscription);
    const known = signing.get(key) ?? opensSecret(sealer, subscription);
    signing.set(key, known);
    return known;
  };
  const obstacleTo = ({ delivery, subscription }: Letter): DeliveryChange | undefined => {
    const over = decideUnsent(subscription.status as string, now);
    if (over) return over;
    const first = held.get(keyText(delivery));
    if (first !== undefined) return blockedDelivery(first, now);
    return canSign(subscription) ? undefined : unsignedDelivery(now);
  };
  const sorted = parcels.map((parcel) => {
    if (!waitsForEndpoint(parcel)) return { letter: parcel, change: obstacleTo(parcel) };
    const probe_until = probes.get(keyText(parcel.subscription));
    if (probe_until === undefined) return { letter: parcel, change: postponed(now) };
    return { letter: { ...parcel, probe_until }, change: obstacleTo(parcel) };
  });
  return {
    send: sorted.flatMap(({ letter, change }) => (change ? [] : [letter])),
    keep: sorted.flatMap(({ letter, change }) =>
      change ? [{ delivery: letter.delivery, change }] : [],
    ),
  };
}

/** Retried deliveries keep their schedule; others wait while an endpoint is suspended. */
const waitsForEndpoint = ({ delivery, subscription, probe_until }: Letter): boolean =>
  probe_until === undefined &&
  subscription.suspended_until != null &&
  delivery.schedule_step === '0';

/** Deliveries with an earlier pending one: when that one is due. */
async function earlierOnes(
  db: Db,
  parcels: readonly Parcel[],
): Promise<ReadonlyMap<string, string | null>> {
  const ordered = parcels.filter(({ delivery }) => delivery.order_key != null);
  if (ordered.length === 0) return new Map();
  const rows = await waitingDeliveries(
    db,
    ordered.map(({ delivery }) => keyOf(delivery)),
  );
  return new Map(rows.map((row) => [keyText(row), row.due_at ?? null]));
}

/**
 * Subscriptions whose suspension has ended and which this process may probe, with the end of the
 * probe.
 */
async function probesAmong(
  db: Db,
  parcels: readonly Letter[],
  now: Micros,
): Promise<ReadonlyMap<string, Micros>> {
  const over = parcels.filter(
    (parcel) =>
      waitsForEndpoint(parcel) && microsOf(parcel.subscription.suspended_until as string) <= now,
  );
  if (over.length === 0) return new Map();
  const until = now + seconds(PROBE_S);
  const probes = over.map(({ subscription }) => ({
    ...keyOf(subscription),
    suspended_until: subscription.suspended_until as string,
  }));
  const taken = await takeProbes(db, probes, instantText(until));
  return new Map(taken.map((row) => [keyText(row), until]));
}
