import { statesOf } from '../machines/define-machine.ts';
import { webhookSubscriptionMachine } from '../machines/webhook-subscription.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const webhookSubscriptions = defineResource({
  type: 'webhook_subscriptions',
  summary: 'Where and of what a merchant wants to be told',
  owner: 'mode',
  few: true,
  group: 'developer',
  operations: ['list', 'fetch', 'create', 'update'],
  unlisted: { status: 'archived' },
  fields: {
    url: { type: 'url', create: 'required', update: true, max: 2000 },
    description: { type: 'string', create: 'optional', update: true, min: 10, max: 1000 },
    events: { type: 'strings', create: 'required', update: true, min: 1, max: 100, opaque: true },
    mode: { type: 'enum', values: ['live', 'sandbox'], create: 'optional', update: true },
    concurrency_limit: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: 100,
      default: 50,
    },
    status: { type: 'enum', values: statesOf(webhookSubscriptionMachine), update: true },
    secret_key: { type: 'string', sensitive: true },
    archived_at: { type: 'timestamp' },
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
