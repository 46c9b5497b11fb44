import { hasRawCard } from '@florin/contract/card/scan.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { uuidv7 } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';

/** Ids that a client may give its request; anything else gets one of ours, and so does a card number: an id is answered and logged. */
const CLIENT_ID = /^[A-Za-z0-9_.-]{8,64}$/;
const isClientId = (sent: string): boolean => CLIENT_ID.test(sent) && !hasRawCard(sent);

/** Ids of requests name lines of the log, so that they are of the machine's own time, whatever the service takes for now. */
export const newRequestId = (): string => uuidv7(Date.now() * 1000);

export const requestId = (headers: FastifyRequest['raw']['headers']): string => {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && isClientId(sent) ? sent : newRequestId();
};

/** One line a request, of named facts only: no address, header or body is ever logged as it came. */
export function registerRequestLog(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    logger.debug(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}
