import { statesOf } from '../machines/define-machine.ts';
import { webhookSubscriptionMachine } from '../machines/webhook-subscription.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { eventCodes } from './event-codes.ts';

export const webhookSubscriptions = defineResource({
  type: 'webhook_subscriptions',
  summary: 'Where and of what a merchant wants to be told',
  owner: 'mode',
  few: 50,
  ended: 'archived_at',
  group: 'developer',
  operations: ['list', 'fetch', 'create', 'update'],
  unlisted: { status: 'archived' },
  fields: {
    url: {
      type: 'url',
      create: 'required',
      update: true,
      max: 2000,
      description:
        'Where deliveries go. In live mode https and a public host; in the sandbox your own machine will do.',
    },
    description: {
      type: 'string',
      create: 'optional',
      update: true,
      min: 10,
      max: 1000,
      description: 'What it is for.',
    },
    events: {
      type: 'strings',
      values: eventCodes,
      create: 'required',
      update: true,
      min: 1,
      max: 100,
      opaque: true,
      description: 'The codes of what to be told of.',
    },
    mode: {
      type: 'enum',
      values: ['live', 'sandbox'],
      create: 'optional',
      update: true,
      always_set: true,
      description: 'That of the key; another is refused.',
    },
    concurrency_limit: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: 100,
      default: 50,
      description: 'Deliveries that may be under way to it at once.',
    },
    status: {
      type: 'enum',
      values: statesOf(webhookSubscriptionMachine),
      update: true,
      always_set: true,
      description:
        '`paused` keeps deliveries until it is `active` again. `archived` is the end, and lists leave it out; the rest of such an update is ignored.',
    },
    secret_key: {
      type: 'string',
      sensitive: true,
      description: 'Signs deliveries. Shown to keys with `developer.webhook_subscriptions.read`.',
    },
    archived_at: { type: 'timestamp', description: 'When it was archived; null until then.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    webhook_deliveries: {
      to: 'webhook_deliveries',
      many: true,
      inverse: 'webhook_subscription',
    },
  },
});
