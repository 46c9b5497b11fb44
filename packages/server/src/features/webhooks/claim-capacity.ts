import type { Micros } from '../../platform/time/clock.ts';
import {
  capacityOf,
  type EndpointQueue,
  isIdle,
  sizeOf,
  speedOf,
  UNPROVEN_MAX,
} from './endpoint-queue.ts';

export interface CapacityLimits {
  /**
   * Maximum number of deliveries in all slow queues. One group counts for at most half, so that it
   * cannot fill the capacity alone.
   */
  readonly slow_max: number;
  /** Maximum number of items in all queues of one group. */
  readonly group_max: number;
}

/** Free capacity of queues and their groups. */
export interface ClaimCapacity {
  readonly queues: ReadonlyMap<string, number>;
  /** Free capacity of a queue that is not in `queues`. */
  readonly new_queue: number;
  readonly groups: ReadonlyMap<string, number>;
  readonly new_group: number;
}

interface Group {
  held: number;
  slow: number;
  /** Number of queues with items. */
  busy: number;
}

/** Free capacity of every queue and group. */
export function claimCapacityOf<T>(
  queues: ReadonlyMap<string, EndpointQueue<T>>,
  { slow_max, group_max }: CapacityLimits,
  now: Micros,
): ClaimCapacity {
  const groups = groupsOf(queues, now);
  const slow_each = slow_max / 2;
  const slowCount = [...groups.values()].reduce(
    (sum, group) => sum + Math.min(group.slow, slow_each),
    0,
  );
  const isSlowFull = slowCount >= slow_max;
  const capacityLeft = (queue: EndpointQueue<T>): number => {
    const group = groups.get(queue.group) as Group;
    const isGroupFull = isSlowFull || group.slow >= slow_each;
    if (isGroupFull && speedOf(queue, now) === 'slow') return 0;
    return Math.min(capacityOf(queue, now), shareOf(group, group_max));
  };
  return {
    queues: new Map([...queues].map(([name, queue]) => [name, capacityLeft(queue)])),
    new_queue: isSlowFull ? 1 : NEW_QUEUE_CAPACITY,
    groups: new Map([...groups].map(([name, group]) => [name, groupCapacity(group, group_max)])),
    new_group: group_max,
  };
}

/** Whether at least half of the capacity of the queue, and of its group, is free. */
export function isHalfFree<T>(
  queues: ReadonlyMap<string, EndpointQueue<T>>,
  name: string,
  group_max: number,
  now: Micros,
): boolean {
  const queue = queues.get(name);
  if (!queue) return true;
  if (capacityOf(queue, now) < sizeOf(queue)) return false;
  const ofGroup = [...queues.values()].filter(({ group }) => group === queue.group);
  return ofGroup.reduce((held, member) => held + sizeOf(member), 0) <= group_max / 2;
}

const NEW_QUEUE_CAPACITY = 2 * UNPROVEN_MAX;

function groupsOf<T>(
  queues: ReadonlyMap<string, EndpointQueue<T>>,
  now: Micros,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const queue of queues.values()) {
    const group = groups.get(queue.group) ?? { held: 0, slow: 0, busy: 0 };
    groups.set(queue.group, group);
    group.held += sizeOf(queue);
    if (speedOf(queue, now) === 'slow') group.slow += sizeOf(queue);
    if (!isIdle(queue)) group.busy += 1;
  }
  return groups;
}

const groupCapacity = ({ held }: Group, group_max: number): number => Math.max(0, group_max - held);

/**
 * Twice an equal share of the group's capacity, so that its first queues leave capacity for the
 * others.
 */
function shareOf(group: Group, group_max: number): number {
  const capacity = groupCapacity(group, group_max);
  const evenShare = Math.ceil(capacity / Math.max(1, group.busy));
  return capacity === 0 ? 0 : Math.max(NEW_QUEUE_CAPACITY, 2 * evenShare);
}
