import { refTo, type Schema, toRecord } from './schema.ts';

const textHeader = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response headers, by component name. */
export const headerComponents = {
  XRequestId: textHeader(
    'Id of this request in the logs; your own `X-Request-Id` if you sent one.',
    '01987b6e-1111-7000-8000-000000000000',
  ),
  Vary: textHeader('Request headers that the response depends on.', 'Accept'),
  ETag: textHeader('Validator for `If-None-Match` and `If-Match`.', '"0f9d3c"'),
  Location: {
    description: 'Address of the new record.',
    schema: { type: 'string', format: 'uri' },
  },
  IdempotentReplayed: {
    description: 'Present if the `Idempotency-Key` was used before: nothing was done again.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimitPolicy: textHeader(
    'The limits of the key (`default`) and of all keys of its merchant and mode together (`merchant`): `q` requests in `w` seconds.',
    '"default";q=25000;w=5, "merchant";q=100000;w=5',
  ),
  RateLimit: textHeader(
    'Rest of each limit: `r` requests; `t` seconds until the limit is full again.',
    '"default";r=24999;t=1, "merchant";r=99999;t=1',
  ),
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
  Allow: textHeader('Methods that the address accepts.', 'GET, HEAD, OPTIONS'),
  WWWAuthenticate: textHeader('How to authenticate.', 'Bearer'),
} as const satisfies Record<string, Schema>;

export type HeaderComponent = keyof typeof headerComponents;

/** HTTP header of each component. */
export const headerNames: Readonly<Record<HeaderComponent, string>> = {
  XRequestId: 'X-Request-Id',
  Vary: 'Vary',
  ETag: 'ETag',
  Location: 'Location',
  IdempotentReplayed: 'Idempotent-Replayed',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  RetryAfter: 'Retry-After',
  Allow: 'Allow',
  WWWAuthenticate: 'WWW-Authenticate',
};

/** Headers of every response that has passed authentication. */
export const sharedHeaders = [
  'XRequestId',
  'RateLimitPolicy',
  'RateLimit',
] as const satisfies readonly HeaderComponent[];

/** References to header components, by HTTP header. */
export const headersFor = (components: readonly HeaderComponent[]): Schema =>
  toRecord(components, (name) => [headerNames[name], refTo('headers', name)]);
