import { keyOfText, keyText } from '../../../platform/database/row-key.ts';
import { instantText, type Micros, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import type { ClaimCapacity } from '../claim-capacity.ts';
import { type ClaimedDelivery, loadClaimedDeliveries } from '../load.ts';
import { claimDeliveries } from '../sql/claims.ts';

const LEASE_S = 60;

/** Deliveries that this process has leased. */
interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  readonly claimed_at: Micros;
  readonly lease_until: Micros;
  /** Keys of subscriptions and ids of merchants whose limit is reached. */
  readonly full: ReadonlySet<string>;
}

/**
 * Claims due deliveries, at most `limit` and within the capacity of queues and merchants, and loads
 * their events.
 */
export async function claimDueDeliveries(
  { db, clock, within }: Pick<Services, 'db' | 'clock' | 'within'>,
  capacity: ClaimCapacity,
  limit: number,
): Promise<Claim> {
  const now = clock.now();
  const lease_until = now + seconds(LEASE_S);
  const rows = await claimDeliveries(db, {
    now: instantText(now),
    lease_until: instantText(lease_until),
    limit,
    queue_limits: [...capacity.queues].map(([queue, max]) => ({ ...keyOfText(queue), max })),
    queue_limit: capacity.new_queue,
    merchant_limits: [...capacity.groups].map(([merchant_id, max]) => ({ merchant_id, max })),
    merchant_limit: capacity.new_group,
    within: await within?.(),
  });
  const deliveries = rows.length === 0 ? [] : await loadClaimedDeliveries(db, rows);
  return {
    deliveries,
    claimed_at: now,
    lease_until,
    full: new Set(fullNamesOf(deliveries, capacity)),
  };
}

function fullNamesOf(deliveries: readonly ClaimedDelivery[], capacity: ClaimCapacity): string[] {
  const queues = Map.groupBy(deliveries, ({ subscription }) => keyText(subscription));
  const merchants = Map.groupBy(
    deliveries,
    ({ subscription }) => subscription.merchant_id as string,
  );
  return [
    ...fillQueues(queues, capacity.queues, capacity.new_queue),
    ...fillQueues(merchants, capacity.groups, capacity.new_group),
  ];
}

/** Names of queues or merchants whose claimed deliveries have reached the capacity. */
const fillQueues = (
  deliveriesByName: ReadonlyMap<string, readonly ClaimedDelivery[]>,
  capacity: ReadonlyMap<string, number>,
  fallback: number,
): string[] =>
  [...new Set([...capacity.keys(), ...deliveriesByName.keys()])].filter(
    (name) => (deliveriesByName.get(name)?.length ?? 0) >= (capacity.get(name) ?? fallback),
  );
