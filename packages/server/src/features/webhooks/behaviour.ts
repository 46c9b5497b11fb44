import { webhookSubscriptionMachine } from '@florin/contract/machines/webhook-subscription.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import { createCreator } from '../records/creator.ts';
import { createUpdater } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { eventAbout } from '../snapshot.ts';
import { createRequireReadable } from './readable.ts';
import { checkSubscription, decideSubscription, eventsToReach } from './rules.ts';
import { makeWebhookSecret } from './sign.ts';

export function webhookSubscriptionBehaviour(services: Services): Behaviour {
  const model = services.models.get('webhook_subscriptions');
  const requireReadable = createRequireReadable(services.models);
  const create = createCreator(services, 'webhook_subscriptions');
  const update = createUpdater(services, {
    table: 'webhook_subscriptions',
    machine: webhookSubscriptionMachine,
    eventOf: (row, slug, now) => eventAbout(model, row, slug, now),
  });
  return {
    async create(ctx, input, record) {
      const { scope } = ctx;
      checkSubscription(scope.mode, input.attributes);
      requireReadable(ctx, eventsToReach(record, record));
      const status = webhookSubscriptionMachine.initial;
      const row = { ...record, mode: scope.mode, status, secret_key: makeWebhookSecret() };
      const { idempotency } = ctx;
      return create({ record: { row, events: [], idempotency }, references: [] });
    },
    update: (ctx, id, input, columns) =>
      update({
        scope: ctx.scope,
        id,
        if_match: ctx.if_match,
        idempotency: ctx.idempotency,
        decide(row, now) {
          const decision = decideSubscription(row, ctx.scope.mode, input, columns, now);
          requireReadable(ctx, eventsToReach(row, decision.set));
          return decision;
        },
      }),
  };
}
