import { defineResource } from './define-resource.ts';

/** HTTP methods of logged requests. */
export const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Days for which requests are logged. `REQUESTS_STORED_MAX` is their maximum per merchant and mode.
 */
export const REQUESTS_RETENTION_DAYS = 7;
export const REQUESTS_STORED_MAX = 10_000;

export const apiRequests = defineResource({
  type: 'api_requests',
  summary:
    'A write or a refused request of an API key. Florin stores no successful reads, and only a sample of large bursts',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    method: { type: 'enum', values: requestMethods, always_set: true },
    route: {
      type: 'string',
      always_set: true,
      description:
        'Path of the request with a placeholder for the id: `/v2/payment_demands/:id/confirm`.',
    },
    path: {
      type: 'string',
      opaque: true,
      always_set: true,
      description: 'Path of the request. Only ids and names of this interface are kept.',
    },
    query: {
      type: 'string',
      opaque: true,
      description: 'Query of the request, without personal values.',
    },
    status_code: { type: 'integer', always_set: true, description: 'HTTP status of the response.' },
    error_codes: { type: 'strings', always_set: true, description: 'The `code` of each error.' },
    duration_ms: { type: 'integer', opaque: true, always_set: true },
    request_id: {
      type: 'string',
      always_set: true,
      description: 'The `X-Request-Id` of the response.',
    },
    idempotency_key_sent: {
      type: 'boolean',
      opaque: true,
      always_set: true,
      description: 'Whether the request had the header `Idempotency-Key`.',
    },
    user_agent: { type: 'string', opaque: true },
    ip_prefix: {
      type: 'string',
      opaque: true,
      description: 'Network of the client: /24 of IPv4, /48 of IPv6.',
    },
    request_body: {
      type: 'object',
      opaque: true,
      description:
        'Request document. Secrets are `[redacted]`, personal data is `[masked]`. Null if there was none, if it contained card data, or if it exceeded 16 kB.',
    },
    response_body: {
      type: 'object',
      opaque: true,
      description: 'Response document without links, redacted and masked in the same way.',
    },
    created_at: {
      type: 'timestamp',
      description: `When it was answered. Kept for ${REQUESTS_RETENTION_DAYS} days, and of each mode the newest ${REQUESTS_STORED_MAX}.`,
    },
  },
  relations: { merchant: { to: 'merchants' }, merchant_token: { to: 'merchant_tokens' } },
});
