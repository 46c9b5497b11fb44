import type { FastifyRequest } from 'fastify';

/** Largest body of a request, in bytes. */
export const BODY_BYTES_MAX = 256 * 1024;
/** Largest head of a request: space for the longest query and the other headers. */
export const HEAD_BYTES_MAX = 48 * 1024;

/** The query string as it was sent, without `?`. */
export const queryOf = ({ raw: { url = '' } }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** The id of the address; ids are lower case. */
export const idOf = ({ params }: FastifyRequest): string =>
  (params as { id: string }).id.toLowerCase();
