import { problem } from '@florin/contract/errors.ts';
import { webhookReplayMachine } from '@florin/contract/machines/webhook-replay.ts';
import type { Behaviour, RequestContext } from '../../../jsonapi/behaviour.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { findRow } from '../../../platform/database/rows.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { createCreator } from '../../records/creator.ts';
import { referencesOf, updaterOf } from '../../records/plain.ts';
import type { Decision } from '../../records/updater.ts';
import { wrongState } from '../../records/wrong-state.ts';
import { createRequireReadable } from '../sending/readable.ts';
import { countOpenReplays } from '../sql/replays.ts';
import { replayedCodes } from './replay-rules.ts';

/** Longest period of one replay in days. */
const SPAN_DAYS_MAX = 366;
/** Maximum number of open replays per merchant and mode. */
const OPEN_MAX = 10;

/** Replays of events. A worker runs a replay in batches of events. */
export function webhookReplayBehaviour(services: Services): Behaviour {
  const { db, wake } = services;
  const model = services.models.get('webhook_replays');
  const requireReadable = createRequireReadable(services.models);
  const create = createCreator(services, 'webhook_replays');
  const update = updaterOf(services, model);
  /** Throws unless the caller may read all records that the replay sends again. */
  async function checkCodes(ctx: RequestContext, record: Row): Promise<void> {
    const id = record.webhook_subscription_id as string;
    const subscription = await findRow(db, 'webhook_subscriptions', ctx.scope, id);
    // Storing the replay will fail: its foreign key refuses a missing subscription.
    if (!subscription) return;
    const codes = replayedCodes(record, subscription);
    if (codes.length === 0) throw noTypesListed();
    requireReadable(ctx, codes, record.events ? EVENTS : SUBSCRIPTION);
  }
  return {
    actions: {
      cancel: ({ scope, if_match, idempotency }, id) =>
        update({ scope, id, if_match, idempotency, decide: decideCancel }),
    },
    async create(ctx, _input, record) {
      const row = { ...record, ...initialColumns, ...spanOf(record, ctx.now()) };
      await checkCodes(ctx, record);
      await requireFewOpenReplays(db, ctx.scope);
      const { idempotency } = ctx;
      const item = {
        record: { row, events: [], idempotency },
        references: referencesOf(model, row),
      };
      const replayRow = await create(item);
      wake.replay.raise();
      return replayRow;
    },
  };
}

const initialColumns: Row = {
  status: webhookReplayMachine.initial,
  matched_count: '0',
  queued_count: '0',
};

/** Columns of a new replay's period, and `due_at`. Throws 422 for an invalid period. */
function spanOf({ since, until }: Row, now: Micros): Row {
  const start = microsOf(since as string);
  const end = until ? microsOf(until) : now;
  if (end > now) throw problem('invalid', 'since must not be in the future.', UNTIL);
  if (start >= end) throw problem('invalid', 'until must be later than since.', SINCE);
  if (end - start > seconds(SPAN_DAYS_MAX * 86_400)) {
    const detail = `A replay can cover at most ${SPAN_DAYS_MAX} days. Create another replay for the rest.`;
    throw problem('too_large', detail, SINCE, { meta: { limit: SPAN_DAYS_MAX } });
  }
  return { until: instantText(end), due_at: instantText(now) };
}

/** Limits open replays. Concurrent creates do not see each other, so a few more may pass. */
async function requireFewOpenReplays(db: Db, scope: Scope): Promise<void> {
  if ((await countOpenReplays(db, scope, OPEN_MAX)) < OPEN_MAX) return;
  const detail = `There are already ${OPEN_MAX} replays in progress. Wait until one is finished, or cancel one.`;
  throw problem('limit_reached', detail, { pointer: '/data' }, { meta: { limit: OPEN_MAX } });
}

function decideCancel({ status }: Row, now: Micros): Decision {
  if (status !== 'pending') {
    throw wrongState({ noun: 'webhook replay', state: status as string, actions: [] }, 'cancel');
  }
  return { trigger: 'cancel', set: { due_at: null, finished_at: instantText(now) }, events: [] };
}

const SINCE = { pointer: '/data/attributes/since' };
const UNTIL = { pointer: '/data/attributes/until' };
const EVENTS = { pointer: '/data/attributes/events' };
const SUBSCRIPTION = { pointer: '/data/relationships/webhook_subscription' };

const noTypesListed = (): Error =>
  problem(
    'invalid',
    'The webhook subscription has none of these events. Send codes from its events.',
    EVENTS,
  );
