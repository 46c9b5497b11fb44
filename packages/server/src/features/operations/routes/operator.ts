import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../services.ts';
import { factorNeeded, personOf } from '../../people/dashboard/api.ts';
import { registerOperatorDisputes } from './disputes.ts';
import { registerOperatorEnforcement } from './enforcement-actions.ts';
import { registerOperatorExceptions } from './exceptions.ts';
import { registerOperatorFlags } from './flags.ts';
import { registerOperatorHealth } from './health.ts';
import { registerOperatorMerchants } from './merchants.ts';
import { OPERATOR_PATH } from './operator-action.ts';
import { registerProcessorAccounts } from './processor-accounts.ts';
import { registerProcessorNotifications } from './processor-notifications.ts';
import { registerProcessorReports } from './processor-reports.ts';
import { registerOperatorProcessors } from './processors.ts';
import { registerOperatorReviews } from './reviews.ts';
import { registerRouting } from './routing.ts';
import { registerOperatorUnknown } from './unknown.ts';

/** Reads of the installation's own state, which has no data of merchants. */
const UNLOGGED: ReadonlySet<string> = new Set([
  `${OPERATOR_PATH}/health`,
  `${OPERATOR_PATH}/processors`,
]);

/**
 * Operators' routes for the installation, below the dashboard's path. Refuses all other accounts.
 */
export function registerOperator(fastify: FastifyInstance, services: Services): void {
  fastify.addHook('onRequest', async (request) => {
    const { account } = personOf(request);
    if (account.needs_factor) throw factorNeeded();
    if (!account.operator) throw notOperator();
  });
  fastify.addHook('preHandler', async (request) => {
    const { method, routeOptions } = request;
    if (method !== 'GET' || UNLOGGED.has(routeOptions.url ?? '')) return;
    await request.logRead({ account_id: personOf(request).account.id });
  });
  registerOperatorMerchants(fastify, services);
  registerOperatorReviews(fastify, services);
  registerOperatorFlags(fastify, services);
  registerOperatorEnforcement(fastify, services);
  registerOperatorProcessors(fastify, services);
  registerProcessorAccounts(fastify, services);
  registerRouting(fastify, services);
  registerProcessorNotifications(fastify, services);
  registerProcessorReports(fastify, services);
  registerOperatorUnknown(fastify, services);
  registerOperatorDisputes(fastify, services);
  registerOperatorExceptions(fastify, services);
  registerOperatorHealth(fastify, services);
}

const notOperator = () =>
  problem('forbidden', 'This address is for operators only. Sign in as an operator.');
