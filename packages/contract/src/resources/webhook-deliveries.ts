import { statesOf } from '../machines/define-machine.ts';
import { webhookDeliveryMachine } from '../machines/webhook-delivery.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const webhookDeliveries = defineResource({
  type: 'webhook_deliveries',
  summary: 'The delivery of an event to a webhook subscription',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch'],
  actions: {
    redeliver: {
      summary: 'Send again',
      description:
        'Makes an ended delivery `pending` and due now, with the same event id and a new schedule of attempts. A `pending` delivery becomes due now, unless it is due within a minute. Ends a suspension of the subscription; another failure suspends it again. Refused if the subscription is archived.',
    },
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(webhookDeliveryMachine),
      always_set: true,
      description:
        '`delivered` was answered 200 to 204, `stopped` was refused for good, `exhausted` was tried for the last time.',
    },
    fails_count: { type: 'integer', opaque: true, description: 'Attempts that failed.' },
    attempts_count: { type: 'integer', opaque: true, description: 'Attempts there were.' },
    first_try_at: { type: 'timestamp', opaque: true, description: 'When it was first tried.' },
    next_attempt_at: {
      type: 'timestamp',
      column: 'due_at',
      opaque: true,
      description:
        'When it is tried next; null where it is over. It may lie in the past: `suspended_until` of the subscription comes first, and of a `paused` one nothing is tried.',
    },
    last_response_status: {
      type: 'integer',
      opaque: true,
      description: 'HTTP status of the last answer; null where none came.',
    },
    last_error: {
      type: 'string',
      opaque: true,
      description: 'Why no answer came, such as `timeout`.',
    },
    delivered_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was taken; null until then.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    event: { to: 'events' },
    webhook_subscription: { to: 'webhook_subscriptions' },
    webhook_delivery_attempts: {
      to: 'webhook_delivery_attempts',
      many: true,
      inverse: 'webhook_delivery',
    },
  },
});
