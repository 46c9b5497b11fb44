import { statesOf } from '../machines/define-machine.ts';
import { webhookSubscriptionMachine } from '../machines/webhook-subscription.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { eventPatterns } from './event-codes.ts';

export const webhookSubscriptions = defineResource({
  type: 'webhook_subscriptions',
  summary: 'A URL that receives events',
  owner: 'mode',
  few: 50,
  ended: 'archived_at',
  group: 'developer',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    rotate_secret: {
      summary: 'Rotate the secret',
      description:
        'For 24 hours, `webhook-signature` carries a signature of each secret, and `edge-signature` one of the old secret. Answer 400, 401 or 403 to a wrong `edge-signature`: Florin repeats the delivery immediately, signed with the new secret. A new rotation ends an earlier one.',
    },
    revoke_previous_secret: {
      summary: 'Revoke the previous secret',
      description: 'A subscription without a previous secret does not change.',
    },
    test: {
      summary: 'Send a test event',
      description:
        'Sends `developer.webhook_subscriptions.tested` to this subscription only, five times a minute at most (429 beyond) while it is `active`. Ends a suspension. Another failure suspends the subscription again.',
    },
  },
  events: { scope: 'developer.webhook_subscriptions', slugs: ['tested'] },
  unlisted: { status: 'archived' },
  fields: {
    url: {
      type: 'url',
      create: 'required',
      update: true,
      max: 2000,
      description:
        'URL that receives the deliveries. Live mode needs https and a public host. The sandbox also allows your own machine, unless the operator has set `FLORIN_SANDBOX_WEBHOOKS` to `public`.',
    },
    description: {
      type: 'string',
      create: 'optional',
      update: true,
      min: 10,
      max: 1000,
      description: 'Purpose of the webhook, in at least 10 characters.',
    },
    events: {
      type: 'strings',
      values: eventPatterns,
      create: 'required',
      update: true,
      min: 1,
      max: 100,
      opaque: true,
      description:
        'Codes of the events to send. `*` stands for all events, `transaction.*` for a group, `transaction.refund_demands.*` for a type. Wildcards include future events. The key must be able to read every listed type. A URL can have only one subscription with the same codes.',
    },
    mode: {
      type: 'enum',
      values: ['live', 'sandbox'],
      create: 'optional',
      update: true,
      always_set: true,
      description: 'The mode of the key. Another mode is refused.',
    },
    concurrency_limit: {
      type: 'integer',
      create: 'optional',
      update: true,
      min: 1,
      max: 100,
      default: 50,
      description: 'Maximum number of concurrent deliveries.',
    },
    ordering: {
      type: 'enum',
      values: ['none', 'resource'],
      create: 'optional',
      update: true,
      default: 'none',
      opaque: true,
      description:
        '`resource` sends an event of a record only after the previous event of that record is delivered or given up. Other records do not wait.',
    },
    status: {
      type: 'enum',
      values: statesOf(webhookSubscriptionMachine),
      update: true,
      always_set: true,
      description:
        '`paused` stops sending. Events wait until the subscription is `active` again: for 30 days, and the newest 100,000. Older ones become `stopped`. `archived` is final: pending deliveries become `stopped`, lists omit the subscription, and the rest of the update is ignored.',
    },
    secret_key: {
      type: 'string',
      sensitive: true,
      sealed: true,
      description:
        'Signs deliveries. Shown to keys and people with `developer.webhook_subscriptions.update`, who can rotate it, and in the response to a create. Null where the server has lost the key that it is kept under: `rotate_secret` makes a new one.',
    },
    previous_secret_expires_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time until which deliveries are also signed with the previous secret.',
    },
    paused_reason: {
      type: 'enum',
      values: ['merchant', 'failing'],
      opaque: true,
      description:
        'Reason of the pause: `failing` after five days and ten attempts without an accepted delivery. Null otherwise.',
    },
    failing_since: {
      type: 'timestamp',
      opaque: true,
      description: 'Time since which no delivery was accepted.',
    },
    suspended_until: {
      type: 'timestamp',
      opaque: true,
      description:
        'Time until which a suspension lasts, after five failures in a row. `test`, `redeliver`, another `url` and `status` from `paused` to `active` end it at once.',
    },
    archived_at: { type: 'timestamp', description: 'Time of archiving; null until then.' },
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
