import { statesOf } from '../machines/define-machine.ts';
import { webhookSubscriptionMachine } from '../machines/webhook-subscription.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { eventPatterns } from './event-codes.ts';

export const webhookSubscriptions = defineResource({
  type: 'webhook_subscriptions',
  summary: 'Where and of what a merchant wants to be told',
  owner: 'mode',
  few: 50,
  ended: 'archived_at',
  group: 'developer',
  operations: ['list', 'fetch', 'create', 'update'],
  actions: {
    rotate_secret: {
      summary: 'Make a new secret; the old one stays good for a day',
      description:
        'For 24 hours `webhook-signature` has a signature of each secret. `edge-signature` has one, of the old secret; a receiver that answers 400, 401 or 403 to it is sent the delivery again at once, signed with the new one: answer so what does not match. A rotation that is under way ends with it.',
    },
    revoke_previous_secret: {
      summary: 'End a rotation: deliveries are signed with the new secret alone',
      description: 'One that has no previous secret stays as it is.',
    },
    test: {
      summary: 'Send an event to try the address',
      description:
        'A `developer.webhook_subscriptions.tested` event, to this subscription alone, whatever it lists. Of one that is `active`, five times a minute; beyond that it is 429. Ends a suspension, so that it is sent now; one more failure suspends it again.',
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
        'Where deliveries go. In live mode https and a public host; in the sandbox your own machine will do, unless its operator has set `FLORIN_SANDBOX_WEBHOOKS` to `public`.',
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
      values: eventPatterns,
      create: 'required',
      update: true,
      min: 1,
      max: 100,
      opaque: true,
      description:
        'The codes of what to be told of. `*` stands for all, `transaction.*` for all of a group, `transaction.refund_demands.*` for all of a type, also those to come. One address, however it is written, has one subscription to a set of codes. The key must be able to read every type that they name or stand for.',
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
    ordering: {
      type: 'enum',
      values: ['none', 'resource'],
      create: 'optional',
      update: true,
      default: 'none',
      opaque: true,
      description:
        'With `resource` an event is sent once the one before it, of the same record, was taken or given up. Other records do not wait.',
    },
    status: {
      type: 'enum',
      values: statesOf(webhookSubscriptionMachine),
      update: true,
      always_set: true,
      description:
        '`paused` sends nothing and keeps what there is to be sent, of what happens meanwhile as well, until it is `active` again: for 30 days and the newest 100,000, what is beyond that is `stopped`. `archived` is the end, and lists leave it out: what is pending is `stopped`; the rest of such an update is ignored.',
    },
    secret_key: {
      type: 'string',
      sensitive: true,
      sealed: true,
      description:
        'Signs deliveries. Shown to keys with `developer.webhook_subscriptions.read`, and to people with `….update`. Null where the server has lost the key that it is kept under: `rotate_secret` makes a new one.',
    },
    previous_secret_expires_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Until when deliveries are signed with the secret before this one as well.',
    },
    paused_reason: {
      type: 'enum',
      values: ['merchant', 'failing'],
      opaque: true,
      description:
        'Why it is `paused`: `failing` after five days in which nothing was taken, of ten attempts or more. Null where it is not.',
    },
    failing_since: {
      type: 'timestamp',
      opaque: true,
      description: 'Since when nothing was taken, and something was refused or not answered.',
    },
    suspended_until: {
      type: 'timestamp',
      opaque: true,
      description:
        'When it is tried again after five failures in a row; deliveries that were not tried yet wait until then. `test`, `redeliver`, another `url` and `status` from `paused` to `active` end it at once.',
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
