import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../platform/database/row-key.ts';
import { UUID_MIN } from '../../platform/database/slices/key-slices.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { insertAlerts } from '../records/alert.ts';
import { backlogAlert } from './alerts.ts';
import { STOPPED_ARCHIVED, stopDelivery } from './delivery.ts';
import { endpointOf } from './endpoints.ts';
import { lockOfArchived, lockOfPaused, nextSubscriptions } from './sql/stops.ts';

/** Longer than any lease, with the difference between clocks. */
const LEASE_MAX: Micros = seconds(120);
/** Limits of a paused subscription's backlog: days, and number of deliveries. */
export const RETENTION_DAYS = 30;
export const STORED_MAX = 100_000;

type Store = Pick<Services, 'db' | 'catalog' | 'clock'> & Partial<Pick<Services, 'system_clock'>>;

/**
 * Stops the backlog of archived subscriptions, at most `limit`. Messages in flight finish normally.
 * Returns the number of stopped deliveries.
 */
export const stopOfArchived = (services: Store, limit: number): Promise<number> =>
  stop(services, STOPPED_ARCHIVED, (tx, now) =>
    lockOfArchived(tx, {
      now: instantText(now),
      leases_end: instantText(now + LEASE_MAX),
      limit,
    }),
  );

/** Stops backlogs of paused subscriptions, one after another, so that none holds up the others. */
export interface PausedStopper {
  /**
   * Stops deliveries of the next paused subscription past their retention, at most `limit`. A replay can send them
   * later. After an error, such as a statement timeout, the next subscription has its turn.
   */
  stop(limit: number): Promise<void>;
  /** Whether subscriptions remain until the first one has its turn again, or one had more deliveries. */
  hasMore(): boolean;
}

/** Creates a stopper that begins with the first subscription. */
export function createPausedStopper(services: Store, stored_max = STORED_MAX): PausedStopper {
  let paused: RowKey[] = [];
  let after = FIRST;
  let isAnyFull = false;
  async function readNext(): Promise<void> {
    if (after === FIRST) isAnyFull = false;
    const rows = await nextSubscriptions(services.db, after, READ_MAX);
    paused = rows.filter(({ status }) => status === 'paused').map(keyOf);
    const last = rows.length === READ_MAX ? rows.at(-1) : undefined;
    after = last ? keyOf(last) : FIRST;
  }
  return {
    hasMore: () => paused.length > 0 || after !== FIRST || isAnyFull,
    async stop(limit) {
      if (paused.length === 0) await readNext();
      const subscription = paused.shift();
      if (!subscription) return;
      const count = await stopOfPaused(services, subscription, stored_max, limit);
      isAnyFull ||= count === limit;
    },
  };
}

/** Subscriptions that a statement reads. */
const READ_MAX = 1_000;
const FIRST: RowKey = { merchant_id: UUID_MIN, id: UUID_MIN };

const stopOfPaused = (
  services: Store,
  subscription: RowKey,
  stored_max: number,
  limit: number,
): Promise<number> =>
  stop(services, 'subscription_paused', async (tx, now) => {
    const since = instantText(now - seconds(RETENTION_DAYS * 86_400));
    const backlog = { ...subscription, since, stored_max, limit };
    const stoppedDeliveries = await lockOfPaused(tx, backlog);
    await alertStopped(tx, services, stoppedDeliveries, now);
    return stoppedDeliveries;
  });

/** Alerts members once per pause. Deliveries are locked before their subscriptions. */
async function alertStopped(
  tx: Db,
  { catalog, clock, system_clock = clock }: Store,
  stoppedDeliveries: readonly Row[],
  now: Micros,
): Promise<void> {
  if (stoppedDeliveries.length === 0) return;
  const keys = new Map(stoppedDeliveries.map(endpointOf).map((key) => [keyText(key), key]));
  const lockedRows = await lockRows(tx, 'webhook_subscriptions', [...keys.values()]);
  const subscriptionsToAlert = [...lockedRows.values()].filter(
    ({ status, backlog_stopped_at }) => status === 'paused' && !backlog_stopped_at,
  );
  const at = instantText(now);
  const set = { backlog_stopped_at: at };
  const changes = subscriptionsToAlert.map((subscription) => ({
    before: subscription,
    set,
    internal: true,
  }));
  await transition(tx, catalog, { table: 'webhook_subscriptions', at }, changes);
  const alerts = subscriptionsToAlert.map((subscription) => backlogAlert(subscription, now));
  await insertAlerts(tx, catalog, alerts, system_clock.now());
}

/** Stops deliveries without attempts, in one transaction. */
const stop = (
  { db, catalog, clock }: Store,
  reason: string,
  lock: (tx: Db, now: Micros) => Promise<Row[]>,
): Promise<number> =>
  db.transaction(async (tx) => {
    const now = clock.now();
    const changes = (await lock(tx, now)).map((delivery) => ({
      before: delivery,
      ...stopDelivery(reason),
    }));
    const options = { table: 'webhook_deliveries', at: instantText(now) };
    return (await transition(tx, catalog, options, changes)).length;
  });
