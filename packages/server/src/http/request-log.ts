import { hasRawCard } from '@florin/contract/card/scan.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { uuidv7 } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { createSyncHook } from './hook.ts';

/**
 * Request ids that clients may choose. Other ids, and card numbers, are replaced, because ids are returned
 * and logged.
 */
const CLIENT_ID = /^[A-Za-z0-9_.-]{8,64}$/;
const isClientId = (id: string): boolean => CLIENT_ID.test(id) && !hasRawCard(id);

/** Request ids sort log lines by time, so they always use the system clock. */
export const newRequestId = (): string => uuidv7(Date.now() * 1000);

export const requestId = (headers: FastifyRequest['raw']['headers']): string => {
  const clientId = headers['x-request-id'];
  return typeof clientId === 'string' && isClientId(clientId) ? clientId : newRequestId();
};

/** Logs one line per request with fixed fields: never an IP address, header or body. */
export function registerRequestLog(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook(
    'onRequest',
    createSyncHook((request, reply) => void reply.header('x-request-id', request.id)),
  );
  fastify.addHook(
    'onResponse',
    createSyncHook((request, reply) =>
      logger.debug(
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request',
      ),
    ),
  );
}
