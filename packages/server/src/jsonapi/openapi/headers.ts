import type { Schema } from './schema.ts';

const textHeader = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Response headers, by component name. */
export const headerComponents = {
  XRequestId: textHeader(
    'Names this request in our logs; your own `X-Request-Id` where you sent one.',
    '01987b6e-1111-7000-8000-000000000000',
  ),
  Vary: textHeader('Request headers that the answer depends on.', 'Accept'),
  ETag: textHeader('Validator for `If-None-Match` and `If-Match`.', '"0f9d3c"'),
  Location: {
    description: 'Address of the new record.',
    schema: { type: 'string', format: 'uri' },
  },
  IdempotentReplayed: {
    description: 'There where an `Idempotency-Key` was used before: nothing was done again.',
    schema: { type: 'string', const: 'true' },
  },
  RateLimitPolicy: textHeader(
    'The limits of the key (`default`) and of all keys of its merchant and mode together (`merchant`): `q` requests in `w` seconds.',
    '"default";q=25000;w=5, "merchant";q=100000;w=5',
  ),
  RateLimit: textHeader(
    'What is left of each: `r` requests; `t` seconds until it is whole again.',
    '"default";r=24999;t=1, "merchant";r=99999;t=1',
  ),
  RetryAfter: {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 1 },
  },
  Allow: textHeader('The methods that the address takes.', 'GET, HEAD, OPTIONS'),
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
