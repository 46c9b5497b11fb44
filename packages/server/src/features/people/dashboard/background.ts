import type { FastifyRequest } from 'fastify';

/** Header of requests that a page sends on its own, such as polls. */
const BACKGROUND_HEADER = 'florin-background';

/**
 * Whether a request counts as use of its session. An open page polls, which must not keep an abandoned session alive.
 */
export const isUse = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers[BACKGROUND_HEADER] !== '1';
