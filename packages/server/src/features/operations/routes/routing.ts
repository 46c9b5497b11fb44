import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../../../jsonapi/problems.ts';
import type { PaymentFacts } from '../../../processors/route.ts';
import type { Services } from '../../../services.ts';
import { changeRules, rulesTag } from '../../processor-accounts/change-rules.ts';
import { readFacts, readRules } from '../../processor-accounts/read-rules.ts';
import { routePayment } from '../../processor-accounts/route-payment.ts';
import { ruleOf } from '../../processor-accounts/rules.ts';
import { selectRules } from '../../processor-accounts/sql.ts';
import { fresh, OPERATOR_PATH } from './operator-action.ts';

/**
 * Operators' routes for the rules that choose accounts, and their preview. `If-Match` with the `etag` of the list keeps
 * a change from overwriting that of another operator.
 */
export function registerRouting(fastify: FastifyInstance, services: Services): void {
  const { db } = services;
  fastify.get(`${OPERATOR_PATH}/routing/:mode`, async (request) => {
    const rows = await selectRules(db, modeOf(request));
    return { data: rows.map(ruleOf), etag: rulesTag(rows) };
  });
  fastify.put(`${OPERATOR_PATH}/routing/:mode`, fresh, async (request, reply) => {
    const mode = modeOf(request);
    await changeRules(services, mode, readRules(request.body), request.headers['if-match']);
    return reply.status(204).send();
  });
  fastify.post(`${OPERATOR_PATH}/routing/:mode/preview`, fresh, async (request) => {
    return { data: routePayment(services, readFacts(request.body, modeOf(request))) };
  });
}

function modeOf({ params }: FastifyRequest): PaymentFacts['mode'] {
  const { mode } = params as { readonly mode: string };
  if (mode !== 'live' && mode !== 'sandbox') throw notFound();
  return mode;
}
