import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';

const KEY_LENGTH_MAX = 255;

/**
 * The `Idempotency-Key` of a request: a structured-field string, or the bare text that clients send. Throws
 * 422 for an empty or too long key.
 */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const { 'idempotency-key': headerValue } = headers;
  if (typeof headerValue !== 'string') return undefined;
  const key = headerValue.trim().replace(/^"(.*)"$/, '$1');
  if (key.length > 0 && key.length <= KEY_LENGTH_MAX) return key;
  throw problem(
    'invalid_value',
    `An idempotency key must have 1 to ${KEY_LENGTH_MAX} characters.`,
    {
      header: 'Idempotency-Key',
    },
  );
}
