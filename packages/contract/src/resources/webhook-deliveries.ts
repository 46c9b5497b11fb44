import { statesOf } from '../machines/define-machine.ts';
import { webhookDeliveryMachine } from '../machines/webhook-delivery.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const webhookDeliveries = defineResource({
  type: 'webhook_deliveries',
  summary: 'One event on its way to one subscription',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    status: { type: 'enum', values: statesOf(webhookDeliveryMachine) },
    fails_count: { type: 'integer', opaque: true },
    first_try_at: { type: 'timestamp', opaque: true },
    next_attempt_at: { type: 'timestamp', column: 'due_at', opaque: true },
    last_response_status: { type: 'integer', opaque: true },
    last_error: { type: 'string', opaque: true },
    delivered_at: { type: 'timestamp', opaque: true },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    event: { to: 'events' },
    webhook_subscription: { to: 'webhook_subscriptions' },
  },
});
