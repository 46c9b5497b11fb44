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
      description: 'Which try of its delivery it was, from 1.',
    },
    response_status: {
      type: 'integer',
      opaque: true,
      description: 'HTTP status of the answer; null where none came.',
    },
    response_headers: {
      type: 'object',
      opaque: true,
      description: 'Headers of the answer, up to 4 kB of them.',
    },
    response_body: {
      type: 'string',
      opaque: true,
      description: 'The first kilobyte of the answer, as text.',
    },
    error: { type: 'string', opaque: true, description: 'Why no answer came, such as `timeout`.' },
    duration_ms: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Milliseconds until the answer, or until it was given up.',
    },
    created_at: { type: 'timestamp', description: 'When it began. Kept for 30 days.' },
  },
  relations: {
    merchant: { to: 'merchants' },
    webhook_delivery: { to: 'webhook_deliveries' },
  },
});
