import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { personOf } from '../../features/people/dashboard/api.ts';
import type { Services } from '../../features/services.ts';
import { registerOperatorExceptions } from './operator-exceptions.ts';
import { registerOperatorFlags } from './operator-flags.ts';
import { registerOperatorHealth } from './operator-health.ts';
import { registerOperatorMeasures } from './operator-measures.ts';
import { registerOperatorMerchants } from './operator-merchants.ts';
import { registerOperatorProcessors } from './operator-processors.ts';
import { registerOperatorReviews } from './operator-reviews.ts';
import { registerOperatorUnknown } from './operator-unknown.ts';

/** What operators do for the whole installation: a plugin below the dashboard's addresses, closed to everybody else. */
export function registerOperator(fastify: FastifyInstance, services: Services): void {
  fastify.addHook('onRequest', async (request) => {
    if (!personOf(request).account.operator) throw notOperator();
  });
  registerOperatorMerchants(fastify, services);
  registerOperatorReviews(fastify, services);
  registerOperatorFlags(fastify, services);
  registerOperatorMeasures(fastify, services);
  registerOperatorProcessors(fastify, services);
  registerOperatorUnknown(fastify, services);
  registerOperatorExceptions(fastify, services);
  registerOperatorHealth(fastify, services);
}

const notOperator = () => problem('forbidden', 'This is for the people who run this installation.');
