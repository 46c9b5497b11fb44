import { problem } from '@florin/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import { parseTimestamp } from './values/timestamp.ts';

/** Largest body of a request, in bytes. */
export const BODY_BYTES_MAX = 256 * 1024;
/** Largest size of a request's head: the longest query and all headers. */
export const HEAD_BYTES_MAX = 48 * 1024;

/** The query string as sent, without `?`. */
export const queryOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** The id in the path, in lower case. */
export const idOf = ({ params }: FastifyRequest): string =>
  (params as { id: string }).id.toLowerCase();

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
