import { defineResource } from './define-resource.ts';

export const webhookDeliveryAttempts = defineResource({
  type: 'webhook_delivery_attempts',
  summary: 'An attempt of a webhook delivery, with the response',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    number: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Number of the attempt, from 1.',
    },
    response_status: {
      type: 'integer',
      opaque: true,
      description: 'HTTP status of the response; null without one.',
    },
    response_headers: {
      type: 'object',
      opaque: true,
      description: 'Headers of the response, up to 4 kB.',
    },
    response_body: {
      type: 'string',
      opaque: true,
      description: 'First kilobyte of the response, as text.',
    },
    error: {
      type: 'string',
      opaque: true,
      description: 'Reason why there was no response, such as `timeout`.',
    },
    duration_ms: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Milliseconds until the response or the timeout.',
    },
    created_at: {
      type: 'timestamp',
      description: 'Time of the attempt. Records are kept for 30 days.',
    },
  },
  relations: {
    merchant: { to: 'merchants' },
    webhook_delivery: { to: 'webhook_deliveries' },
  },
});
