import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { createSyncHook } from './hook.ts';
import { refuseRawCardInBody, refuseRawCardInHead } from './raw-card.ts';

/** Checks before any route of the API: authenticates the caller and refuses card numbers. */
export function registerEntryChecks(fastify: FastifyInstance): void {
  fastify.addHook(
    'onRequest',
    createSyncHook(({ headers }) => {
      if (headers['user-agent']) return;
      throw problem(
        'missing_user_agent',
        'Send a User-Agent header that names your program and its version.',
        { header: 'User-Agent' },
      );
    }),
  );
  registerRawCardChecks(fastify);
}

/** Refuses unencrypted card numbers anywhere in a request. */
export function registerRawCardChecks(fastify: FastifyInstance): void {
  fastify.addHook(
    'onRequest',
    createSyncHook(({ originalUrl, headers }) => refuseRawCardInHead(originalUrl, headers)),
  );
  fastify.addHook(
    'preValidation',
    createSyncHook(({ body }) => refuseRawCardInBody(body)),
  );
}
