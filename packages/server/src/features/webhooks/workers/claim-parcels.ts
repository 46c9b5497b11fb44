import { keyOfText, keyText } from '../../../platform/database/row-key.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import type { ClaimCapacity } from '../claim-capacity.ts';
import { loadParcels, type Parcel } from '../load.ts';
import { claimDeliveries } from '../sql/claims.ts';

const LEASE_S = 60;

/** Deliveries under the lease of this process. */
interface Claim {
  readonly parcels: readonly Parcel[];
  readonly claimed_at: Micros;
  readonly lease_until: Micros;
  /**
   * Queues and groups that got as much as they had room for: keys of subscriptions, ids of
   * merchants.
   */
  readonly full: ReadonlySet<string>;
}

/**
 * Claims due deliveries, as far as their limits allow and at most `limit`, and loads their events.
 */
export async function claimParcels(
  { db, clock, within }: Pick<Services, 'db' | 'clock' | 'within'>,
  rooms: ClaimCapacity,
  limit: number,
): Promise<Claim> {
  const now = clock.now();
  const lease_until = now + seconds(LEASE_S);
  const deliveries = await claimDeliveries(db, {
    now: instantText(now),
    lease_until: instantText(lease_until),
    limit,
    rooms: [...rooms.lanes].map(([lane, room]) => ({ ...keyOfText(lane), room })),
    room: rooms.new_lane,
    merchants: [...rooms.groups].map(([merchant_id, room]) => ({ merchant_id, room })),
    merchant_room: rooms.new_group,
    within: await within?.(),
  });
  const parcels = deliveries.length === 0 ? [] : await loadParcels(db, deliveries);
  return { parcels, claimed_at: now, lease_until, full: new Set(fullOf(parcels, rooms)) };
}

function fullOf(parcels: readonly Parcel[], rooms: ClaimCapacity): string[] {
  const lanes = Map.groupBy(parcels, ({ subscription }) => keyText(subscription));
  const merchants = Map.groupBy(parcels, ({ subscription }) => subscription.merchant_id as string);
  return [
    ...filled(lanes, rooms.lanes, rooms.new_lane),
    ...filled(merchants, rooms.groups, rooms.new_group),
  ];
}

/** Names that got as much as they had room for. */
const filled = (
  given: ReadonlyMap<string, readonly Parcel[]>,
  rooms: ReadonlyMap<string, number>,
  otherwise: number,
): string[] =>
  [...new Set([...rooms.keys(), ...given.keys()])].filter(
    (name) => (given.get(name)?.length ?? 0) >= (rooms.get(name) ?? otherwise),
  );
