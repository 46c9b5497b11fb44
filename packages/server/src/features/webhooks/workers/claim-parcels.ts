import { keyOfText, keyText } from '../../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { loadParcels, type Parcel } from '../load.ts';
import type { Rooms } from '../rooms.ts';
import { claimDeliveries } from '../sql/claims.ts';

const LEASE_S = 60;

/** Deliveries that are nobody else's until the lease is over. */
interface Claim {
  readonly parcels: readonly Parcel[];
  readonly claimed_at: Micros;
  readonly lease_until: Micros;
  /** Lanes and groups of which as much was claimed as there was room for: a subscription's key, a merchant's id. */
  readonly full: ReadonlySet<string>;
}

/** Claims deliveries that are due, as far as there is room for them and at most `limit`, and loads what they carry. */
export async function claimParcels(
  { db, clock, within }: Pick<Services, 'db' | 'clock' | 'within'>,
  rooms: Rooms,
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

function fullOf(parcels: readonly Parcel[], rooms: Rooms): string[] {
  const lanes = Map.groupBy(parcels, ({ subscription }) => keyText(subscription));
  const merchants = Map.groupBy(parcels, ({ subscription }) => subscription.merchant_id as string);
  return [
    ...filled(lanes, rooms.lanes, rooms.new_lane),
    ...filled(merchants, rooms.groups, rooms.new_group),
  ];
}

/** Of what there was, the names that were given all that there was room for. */
const filled = (
  given: ReadonlyMap<string, readonly Parcel[]>,
  rooms: ReadonlyMap<string, number>,
  otherwise: number,
): string[] =>
  [...new Set([...rooms.keys(), ...given.keys()])].filter(
    (name) => (given.get(name)?.length ?? 0) >= (rooms.get(name) ?? otherwise),
  );
