import type { Db } from '../../platform/database/db.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { lastOfNextMerchants } from '../merchants/sql/merchants.ts';
import { ATTEMPT_DAYS } from './attempts.ts';
import {
  allowPruning,
  deleteDeliveries,
  deleteEvents,
  lockEndedDeliveries,
  lockOldEvents,
  type OldEvents,
  storeSequences,
} from './sql/event-pruning.ts';

type PruneServices = Pick<Services, 'db' | 'clock'> & {
  readonly config: Pick<Services['config'], 'event_retention_days'>;
};

const DAY_SECONDS = 86_400;
/** Maximum number of merchants whose events one step looks for. */
const MERCHANTS_MAX = 200;

/** Prunes events past their retention, with their deliveries and attempts, of one group of merchants after another. */
export interface EventPruner {
  /**
   * Prunes at most `limit` events of the next merchants. Returns the number of deleted events. After an error, such as a
   * statement timeout because of many deliveries, the next slice is half as large.
   */
  prune(limit: number): Promise<number>;
  /** Whether the last slice was full, so that its merchants may have more old events. */
  wasFull(): boolean;
}

/**
 * Creates a pruner that begins with the first merchant. An event stays while a delivery of it is pending, or has changed
 * within the retention of attempts. A merchant can then look at what was sent again.
 */
export function createEventPruner(
  { db, clock, config }: PruneServices,
  merchants_max: number = MERCHANTS_MAX,
): EventPruner {
  let after = UUID_MIN;
  let slice_max = Number.POSITIVE_INFINITY;
  let wasFull = false;
  return {
    wasFull: () => wasFull,
    async prune(limit) {
      wasFull = false;
      const merchants = await nextMerchants(db, after, merchants_max);
      if (!merchants) return 0;
      const timeBefore = (days: number) => instantText(clock.now() - seconds(days * DAY_SECONDS));
      const oldEvents = {
        ...merchants,
        until: timeBefore(config.event_retention_days),
        changed_until: timeBefore(ATTEMPT_DAYS),
        limit: Math.min(limit, slice_max),
      };
      try {
        const count = await db.transaction((tx) => pruneSlice(tx, oldEvents));
        wasFull = count === oldEvents.limit;
        after = wasFull ? merchants.after : merchants.through;
        slice_max = oldEvents.limit * 2;
        return count;
      } catch (error) {
        // A single event that cannot be deleted must not hold up those of other merchants.
        if (oldEvents.limit === 1) after = merchants.through;
        slice_max = Math.max(1, Math.floor(oldEvents.limit / 2));
        throw error;
      }
    },
  };
}

/** The next merchants after an id, or the first ones after the last. Undefined if there are none. */
async function nextMerchants(
  db: Db,
  after: string,
  limit: number,
): Promise<Pick<OldEvents, 'after' | 'through'> | undefined> {
  const through = await lastOfNextMerchants(db, after, limit);
  if (through !== undefined) return { after, through };
  return after === UUID_MIN ? undefined : nextMerchants(db, UUID_MIN, limit);
}

/** A delivery that is made pending meanwhile keeps its event: both are locked before anything is deleted. */
async function pruneSlice(tx: Db, oldEvents: OldEvents): Promise<number> {
  const events = (await lockOldEvents(tx, oldEvents)).map(keyOf);
  if (events.length === 0) return 0;
  await allowPruning(tx);
  await deleteDeliveries(tx, (await lockEndedDeliveries(tx, events)).map(keyOf));
  const deletedEvents = await deleteEvents(tx, events);
  await storeSequences(tx, deletedEvents);
  return deletedEvents.length;
}
