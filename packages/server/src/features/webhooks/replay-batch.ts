import { webhookDeliveryMachine } from '@florin/contract/machines/webhook-delivery.ts';
import { webhookReplayMachine } from '@florin/contract/machines/webhook-replay.ts';
import { instantText, type Micros, seconds } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { rowsByKey } from '../../store/rows.ts';
import { type Change, lockRows, transition } from '../../store/transition.ts';
import {
  countBacklog,
  insertDeliveries,
  lockDueReplay,
  nextReplayed,
} from '../../store/webhook-replays.ts';
import type { Services } from '../services.ts';
import { decideRedelivery } from './deliveries.ts';
import { createReplayed, wantedStatuses } from './replay-rules.ts';

/** Events that one transaction looks at. */
export const REPLAY_BATCH_MAX = 500;
/** While a subscription has so much before it, nothing is added: what happens now would have to wait behind it. */
const BACKLOG_MAX = 2_000;
/** How long a replay then waits before it looks again. */
const BACKLOG_WAIT_S = 0.5;

type Store = Pick<Services, 'db' | 'catalog' | 'clock'>;

/**
 * Takes the next step of the replay that is due first: its events and how far it has come are one transaction, so
 * that a crash loses nothing and repeats nothing. False where none was due.
 */
export const replayDue = (services: Store): Promise<boolean> =>
  services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const replay = await lockDueReplay(tx, instantText(now));
    if (!replay) return false;
    const change = await stepOf(services, tx, replay, now);
    const options = {
      table: 'webhook_replays',
      machine: webhookReplayMachine,
      at: instantText(now),
    };
    await transition(tx, services.catalog, options, [{ before: replay, ...change }]);
    return true;
  });

type Step = Omit<Change, 'before'>;

const ending = (trigger: 'finish' | 'cancel', now: Micros, set: Row = {}): Step => ({
  trigger,
  set: { ...set, due_at: null, finished_at: instantText(now) },
});

async function stepOf(services: Store, tx: Db, replay: Row, now: Micros): Promise<Step> {
  const { merchant_id, webhook_subscription_id } = replay;
  const key = { merchant_id: merchant_id as string, id: webhook_subscription_id as string };
  const [subscription] = await rowsByKey(tx, 'webhook_subscriptions', [key]);
  if (!subscription || subscription.status === 'archived') return ending('cancel', now);
  if (!isDry(replay) && (await countBacklog(tx, replay, BACKLOG_MAX)) >= BACKLOG_MAX) {
    return { set: { due_at: instantText(now + seconds(BACKLOG_WAIT_S)) } };
  }
  const events = await nextReplayed(tx, replay, REPLAY_BATCH_MAX);
  const counts = await replayEvents(services, tx, { replay, subscription, events, now });
  if (events.length < REPLAY_BATCH_MAX) return ending('finish', now, counts);
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

/** Asks for the deliveries of a page of events; gives the counts of the replay after it. */
async function replayEvents(services: Store, tx: Db, page: Page): Promise<Row> {
  const { replay, subscription, events } = page;
  const replayed = Map.groupBy(events, createReplayed(replay, subscription));
  const again = replayed.get('again') ?? [];
  const first = replayed.get('first') ?? [];
  const queued = isDry(replay)
    ? 0
    : (await askAgain(services, tx, page, again)) + (await sendFirst(tx, page, first));
  return {
    matched_count: String(Number(replay.matched_count) + again.length + first.length),
    queued_count: String(Number(replay.queued_count) + queued),
  };
}

/** What a subscription that keeps the order of a record's events is sent again keeps it too. */
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

/** Those that stand as the replay wants them once they are locked; somebody else may have been faster. */
async function askAgain(
  { catalog }: Store,
  tx: Db,
  { replay, subscription, now }: Page,
  events: readonly Row[],
): Promise<number> {
  if (events.length === 0) return 0;
  const byDelivery = new Map(events.map((event) => [event.delivery_id, event]));
  const keys = events.map(({ delivery_id }) => ({
    merchant_id: replay.merchant_id as string,
    id: delivery_id as string,
  }));
  const wanted = wantedStatuses(replay);
  const rows = [...(await lockRows(tx, 'webhook_deliveries', keys)).values()];
  const changes = rows
    .filter(({ status }) => wanted.has(status as string))
    .map((before) => {
      const { trigger, set } = decideRedelivery(before, now);
      const order = trigger && orderOf(subscription, byDelivery.get(before.id) as Row);
      return { before, ...(trigger && { trigger }), set: { ...set, ...order } };
    })
    .filter(({ trigger, set }) => trigger !== undefined || Object.keys(set).length > 0);
  const options = {
    table: 'webhook_deliveries',
    machine: webhookDeliveryMachine,
    at: instantText(now),
  };
  await transition(tx, catalog, options, changes);
  return changes.length;
}
