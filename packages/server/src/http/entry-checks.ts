import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuseRawCardInBody, refuseRawCardInHead } from './raw-card.ts';

/** Checks that come before any route of the interface: who the client is, and that it sends no card number. */
export function registerEntryChecks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request: FastifyRequest) => {
    if (!request.headers['user-agent']) {
      throw problem(
        'missing_user_agent',
        'Send a User-Agent header that names your program and its version.',
        {
          header: 'User-Agent',
        },
      );
    }
    refuseRawCardInHead(request.originalUrl, request.headers);
  });
  fastify.addHook('preValidation', async ({ body }: FastifyRequest) => {
    if (Buffer.isBuffer(body)) refuseRawCardInBody(body);
  });
}
