import type { Micros } from '../../platform/time/clock.ts';
import {
  type EndpointQueue,
  heldIn,
  isIdle,
  kindOf,
  roomOf,
  UNPROVEN_MAX,
} from './endpoint-queue.ts';

export interface CapacityLimits {
  /** Deliveries of all slow queues together. A group counts for half of it at most, so that no group fills it alone. */
  readonly slow_max: number;
  /** Items of all lanes of one group together. */
  readonly group_max: number;
}

/** Free capacity of queues and their groups. */
export interface ClaimCapacity {
  readonly lanes: ReadonlyMap<string, number>;
  /** For each other lane. */
  readonly new_lane: number;
  readonly groups: ReadonlyMap<string, number>;
  readonly new_group: number;
}

interface Group {
  held: number;
  slow: number;
  /** Lanes that hold something. */
  busy: number;
}

/** Free capacity of every queue and group now. */
export function claimCapacityOf<T>(
  lanes: ReadonlyMap<string, EndpointQueue<T>>,
  { slow_max, group_max }: CapacityLimits,
  now: Micros,
): ClaimCapacity {
  const groups = groupsOf(lanes, now);
  const slow_each = slow_max / 2;
  const slow = [...groups.values()].reduce((sum, one) => sum + Math.min(one.slow, slow_each), 0);
  const crowded = slow >= slow_max;
  const room = (lane: EndpointQueue<T>): number => {
    const group = groups.get(lane.group) as Group;
    const full = crowded || group.slow >= slow_each;
    if (full && kindOf(lane, now) === 'slow') return 0;
    return Math.min(roomOf(lane, now), shareOf(group, group_max));
  };
  return {
    lanes: new Map([...lanes].map(([name, lane]) => [name, room(lane)])),
    new_lane: crowded ? 1 : NEW_LANE_ROOM,
    groups: new Map([...groups].map(([name, group]) => [name, roomIn(group, group_max)])),
    new_group: group_max,
  };
}

/** Whether at least half of what the lane may hold, and its group, could be given to it. */
export function isLow<T>(
  lanes: ReadonlyMap<string, EndpointQueue<T>>,
  name: string,
  group_max: number,
  now: Micros,
): boolean {
  const lane = lanes.get(name);
  if (!lane) return true;
  if (roomOf(lane, now) < heldIn(lane)) return false;
  const ofGroup = [...lanes.values()].filter(({ group }) => group === lane.group);
  return ofGroup.reduce((held, one) => held + heldIn(one), 0) <= group_max / 2;
}

const NEW_LANE_ROOM = 2 * UNPROVEN_MAX;

function groupsOf<T>(
  lanes: ReadonlyMap<string, EndpointQueue<T>>,
  now: Micros,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const lane of lanes.values()) {
    const group = groups.get(lane.group) ?? { held: 0, slow: 0, busy: 0 };
    groups.set(lane.group, group);
    group.held += heldIn(lane);
    if (kindOf(lane, now) === 'slow') group.slow += heldIn(lane);
    if (!isIdle(lane)) group.busy += 1;
  }
  return groups;
}

const roomIn = ({ held }: Group, group_max: number): number => Math.max(0, group_max - held);

/** Twice its even part: the first lanes of a group that are looked at leave something for the others. */
function shareOf(group: Group, group_max: number): number {
  const room = roomIn(group, group_max);
  const even = Math.ceil(room / Math.max(1, group.busy));
  return room === 0 ? 0 : Math.max(NEW_LANE_ROOM, 2 * even);
}
