import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText, type RowKey } from '../../../platform/database/row-key.ts';
import { findRowsByKey } from '../../../platform/database/rows.ts';
import { type Change, lockRows, transition } from '../../../platform/database/transition.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { decideRedelivery } from '../deliveries.ts';
import { countBacklog, insertDeliveries, lockDueReplay, nextReplayed } from '../sql/replays.ts';
import { createReplayed, includedStatusesOf } from './replay-rules.ts';

/** Events per transaction. */
export const REPLAY_BATCH_MAX = 500;
/**
 * A replay waits while its subscription has this many newer untried deliveries, so that current
 * events do not queue behind old ones. Older deliveries are sent first in any case.
 */
const BACKLOG_MAX = 2_000;
/**
 * Seconds that a replay waits for a backlog. Each wait is as long as all previous ones together,
 * within these limits.
 */
const BACKLOG_WAIT_S = { min: 0.5, max: 30 };
/** Seconds to wait after a failed step, so that other replays can run. */
const FAILED_WAIT_S = 5;

type Store = Pick<Services, 'db' | 'catalog' | 'clock' | 'within'>;

/**
 * Runs the next step of the replay that is due first. Stores deliveries and progress in one transaction, so that a
 * crash neither loses nor repeats any. Returns false if no replay is due; throws if the step failed.
 */
export async function replayDue(services: Store): Promise<boolean> {
  let replay: Row | undefined;
  const within = await services.within?.();
  try {
    return await services.db.transaction(async (tx) => {
      const now = services.clock.now();
      replay = await lockDueReplay(tx, instantText(now), within);
      if (replay)
        await updateReplay(services, tx, replay, now, await stepOf(services, tx, replay, now));
      return replay !== undefined;
    });
  } catch (error) {
    if (replay) await deferFailed(services, keyOf(replay)).catch(() => {});
    throw error;
  }
}

type Step = Omit<Change, 'before'>;

async function updateReplay({ catalog }: Store, tx: Db, replay: Row, now: Micros, step: Step) {
  const options = { table: 'webhook_replays', at: instantText(now) };
  await transition(tx, catalog, options, [{ before: replay, ...step }]);
}

/** Defers a failing replay, so that it does not block others. */
const deferFailed = (services: Store, key: RowKey): Promise<void> =>
  services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const replay = (await lockRows(tx, 'webhook_replays', [key])).get(keyText(key));
    if (replay?.status !== 'pending') return;
    await updateReplay(services, tx, replay, now, defer(now, seconds(FAILED_WAIT_S)));
  });

/** Defers a replay without an event, because clients see no new state. */
const defer = (now: Micros, waitMicros: Micros): Step => ({
  set: { due_at: instantText(now + waitMicros) },
  internal: true,
});

function deferForBacklog({ updated_at }: Row, now: Micros): Step {
  const { min, max } = BACKLOG_WAIT_S;
  const waited_us = now - microsOf(updated_at as string);
  return defer(now, Math.min(Math.max(waited_us, seconds(min)), seconds(max)));
}

const endStep = (trigger: 'finish' | 'cancel', now: Micros, set: Row = {}): Step => ({
  trigger,
  set: { ...set, due_at: null, finished_at: instantText(now) },
});

async function stepOf(services: Store, tx: Db, replay: Row, now: Micros): Promise<Step> {
  const { merchant_id, webhook_subscription_id } = replay;
  const key = { merchant_id: merchant_id as string, id: webhook_subscription_id as string };
  const [subscription] = await findRowsByKey(tx, 'webhook_subscriptions', [key]);
  if (!subscription || subscription.status === 'archived') return endStep('cancel', now);
  if (!isDry(replay) && (await countBacklog(tx, replay, BACKLOG_MAX)) >= BACKLOG_MAX) {
    return deferForBacklog(replay, now);
  }
  const events = await nextReplayed(tx, replay, REPLAY_BATCH_MAX);
  const counts = await replayEvents(services, tx, { replay, subscription, events, now });
  if (events.length < REPLAY_BATCH_MAX) return endStep('finish', now, counts);
  return { set: { ...counts, ...cursorAt(events), due_at: instantText(now) } };
}

const isDry = ({ dry_run }: Row): boolean => dry_run === 't';

function cursorAt(events: readonly Row[]): Row {
  const { created_at, id } = events.at(-1) as Row;
  return { cursor_created_at: created_at as string, cursor_id: id as string };
}

interface Page {
  readonly replay: Row;
  readonly subscription: Row;
  readonly events: readonly Row[];
  readonly now: Micros;
}

/** Makes the deliveries of a page of events due. Returns the new counts of the replay. */
async function replayEvents(services: Store, tx: Db, page: Page): Promise<Row> {
  const { replay, subscription, events } = page;
  const replayed = Map.groupBy(events, createReplayed(replay, subscription));
  const eventsToRepeat = replayed.get('again') ?? [];
  const eventsToSendFirst = replayed.get('first') ?? [];
  const queuedCount = isDry(replay)
    ? 0
    : (await replayAgain(services, tx, page, eventsToRepeat)) +
      (await sendFirst(tx, page, eventsToSendFirst));
  return {
    matched_count: String(
      Number(replay.matched_count) + eventsToRepeat.length + eventsToSendFirst.length,
    ),
    queued_count: String(Number(replay.queued_count) + queuedCount),
  };
}

/**
 * Order columns of a replayed delivery, if its subscription keeps the order of each record's
 * events.
 */
const orderOf = ({ ordering }: Row, { resource_id, sequence }: Row) =>
  ordering === 'resource'
    ? { order_key: resource_id as string, sequence: sequence as string }
    : { order_key: null, sequence: null };

const sendFirst = (
  tx: Db,
  { replay, subscription, now }: Page,
  events: readonly Row[],
): Promise<number> =>
  insertDeliveries(
    tx,
    replay,
    instantText(now),
    events.map((event) => ({ event_id: event.id as string, ...orderOf(subscription, event) })),
  );

/**
 * Makes deliveries due again. Checks them after the lock, because other transactions may have
 * changed them.
 */
async function replayAgain(
  { catalog }: Store,
  tx: Db,
  { replay, subscription, now }: Page,
  events: readonly Row[],
): Promise<number> {
  if (events.length === 0) return 0;
  const eventByDelivery = new Map(events.map((event) => [event.delivery_id, event]));
  const keys = events.map(({ delivery_id }) => ({
    merchant_id: replay.merchant_id as string,
    id: delivery_id as string,
  }));
  const includedStatuses = includedStatusesOf(replay);
  const rows = [...(await lockRows(tx, 'webhook_deliveries', keys)).values()];
  const changes = rows
    .filter(({ status }) => includedStatuses.has(status as string))
    .map((delivery) => {
      const { trigger, set } = decideRedelivery(delivery, now);
      const order = trigger && orderOf(subscription, eventByDelivery.get(delivery.id) as Row);
      return { before: delivery, ...(trigger && { trigger }), set: { ...set, ...order } };
    })
    .filter(({ trigger, set }) => trigger !== undefined || Object.keys(set).length > 0);
  const options = {
    table: 'webhook_deliveries',
    at: instantText(now),
  };
  await transition(tx, catalog, options, changes);
  return changes.length;
}
