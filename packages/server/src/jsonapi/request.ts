import type { FastifyRequest } from 'fastify';

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
