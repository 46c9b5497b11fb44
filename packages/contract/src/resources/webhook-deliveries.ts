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
        '`delivered`: the response was 200 to 204. `stopped`: refused for good. `exhausted`: the last attempt failed.',
    },
    fails_count: { type: 'integer', opaque: true, description: 'Number of failed attempts.' },
    attempts_count: { type: 'integer', opaque: true, description: 'Number of attempts.' },
    first_try_at: { type: 'timestamp', opaque: true, description: 'Time of the first attempt.' },
    next_attempt_at: {
      type: 'timestamp',
      column: 'due_at',
      opaque: true,
      description:
        'Time of the next attempt; null if there is none. A suspended or paused subscription delays it further.',
    },
    last_response_status: {
      type: 'integer',
      opaque: true,
      description: 'HTTP status of the last response; null without one.',
    },
    last_error: {
      type: 'string',
      opaque: true,
      description: 'Reason why there was no response, such as `timeout`.',
    },
    delivered_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of delivery; null until then.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    event: { to: 'events' },
    webhook_subscription: { to: 'webhook_subscriptions', unchecked: true },
    webhook_delivery_attempts: {
      to: 'webhook_delivery_attempts',
      many: true,
      inverse: 'webhook_delivery',
    },
  },
});
