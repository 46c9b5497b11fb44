import { webhookSubscriptionMachine } from '@florin/contract/machines/webhook-subscription.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import { createCreator } from '../records/creator.ts';
import { updaterOf } from '../records/plain.ts';
import { conditionsOf, type UpdateItem } from '../records/updater.ts';
import { HEALTHY } from './breaker.ts';
import {
  checkSubscription,
  decideSubscription,
  eventsToReach,
  requireState,
  type SubscriptionContext,
  withEventsOnce,
} from './rules.ts';
import { rulesFor } from './sending/guard.ts';
import { createRequireReadable } from './sending/readable.ts';
import { endedRotationColumns, newSecret, rotatedSecret } from './signing/secrets.ts';
import { createTest } from './test-delivery.ts';
import { storeUnique } from './unique.ts';

const TABLE = 'webhook_subscriptions';

export function webhookSubscriptionBehaviour(services: Services): Behaviour {
  const { config, db, sealer, wake } = services;
  const model = services.models.get(TABLE);
  const requireReadable = createRequireReadable(services.models);
  const create = createCreator(services, TABLE);
  const update = updaterOf(services, model);
  const changeRow = (ctx: RequestContext, id: string, decide: Decide, columns?: Row) =>
    update({ ...conditionsOf(ctx, id), decide, ...(columns && { columns }) });
  const contextOf = ({ mode }: Scope): SubscriptionContext => ({
    mode,
    rules: rulesFor(mode, config.sandbox_webhooks),
  });
  return {
    actions: {
      rotate_secret: (ctx, id) =>
        changeRow(ctx, id, (row, now) => {
          requireState(row, 'rotate_secret');
          return { set: rotatedSecret(sealer, row, now), events: [] };
        }),
      revoke_previous_secret: (ctx, id) =>
        changeRow(ctx, id, (row) => {
          requireState(row, 'revoke_previous_secret');
          return { set: row.previous_secret_key === null ? {} : endedRotationColumns, events: [] };
        }),
      test: createTest(services),
    },
    async create(ctx, input, record) {
      const { scope, idempotency } = ctx;
      checkSubscription(contextOf(scope), input.attributes);
      requireReadable(ctx, eventsToReach(record, record));
      const row = {
        ...withEventsOnce(record),
        ...initialColumns,
        mode: scope.mode,
        ...newSecret(sealer, record),
      };
      const item = { record: { row, events: [], idempotency }, references: [] };
      return storeUnique(
        db,
        scope,
        () => row,
        () => create(item),
      );
    },
    async update(ctx, id, input, columns) {
      const { scope } = ctx;
      const changedRow = await storeUnique(
        db,
        scope,
        async () => ({ ...(await findRow(db, TABLE, scope, id)), ...columns }),
        () =>
          changeRow(
            ctx,
            id,
            (row, now, changes) => {
              const decision = decideSubscription(row, contextOf(scope), input, changes, now);
              requireReadable(ctx, eventsToReach(row, decision.set));
              return decision;
            },
            withEventsOnce(columns),
          ),
      );
      // Deliveries that waited for the pause or the endpoint are due now.
      wake.deliver.raise();
      return changedRow;
    },
  };
}

type Decide = UpdateItem['decide'];

/** Columns of a new subscription that clients cannot set. */
const initialColumns: Row = { status: webhookSubscriptionMachine.initial, ...HEALTHY };
