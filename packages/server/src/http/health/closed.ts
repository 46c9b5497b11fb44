import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RestoreGate } from '../../platform/database/installation/restore-gate.ts';
import { createHook } from '../hook.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests with which people look at a closed installation, and keep it from charging what was charged already. */
const ALLOWED_WRITES =
  /^\/(?:dashboard\/api\/session|v2\/payment_subscriptions\/[^/]+\/(?:pause|cancel)|v2\/payment_demands\/[^/]+\/cancel)(?:[/?]|$)/;

/** Whether a restored, closed installation answers a request of the API or the dashboard. */
export const isAnsweredWhileClosed = ({ method, url }: Pick<FastifyRequest, 'method' | 'url'>) =>
  READS.has(method) || ALLOWED_WRITES.test(url);

/** Refuses requests with 503 while the installation is closed after a restore. Register it before the routes. */
export function registerClosed(
  fastify: FastifyInstance,
  gate: RestoreGate,
  isAnswered: (request: FastifyRequest) => boolean,
): void {
  fastify.addHook(
    'onRequest',
    createHook((request) =>
      gate.restoredTo() === undefined || isAnswered(request)
        ? undefined
        : Promise.reject(closedProblem()),
    ),
  );
}

const closedProblem = () =>
  problem(
    'unavailable',
    'This Florin was restored from a backup, and its operator has not opened it yet. Try again later.',
    undefined,
    { headers: { 'retry-after': '60' } },
  );
