import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import { parseTimestamp } from '../jsonapi/values/timestamp.ts';

/** Reads an instant of ISO 8601 from the query; undefined if it is absent or empty. Throws 422 for other text. */
export function queryInstantOf(
  { query }: Pick<FastifyRequest, 'query'>,
  parameter: string,
): string | undefined {
  const text = (query as Readonly<Record<string, unknown>>)[parameter];
  if (text === undefined || text === '') return undefined;
  const instant = typeof text === 'string' ? parseTimestamp(text) : undefined;
  if (instant) return instant;
  throw problem('invalid_value', `${parameter} must be an instant, such as 2027-01-31T00:00:00Z.`, {
    parameter,
  });
}
