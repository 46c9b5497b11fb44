import { redFlags } from '@florin/contract/resources/red-flags.ts';
import type { FastifyInstance } from 'fastify';
import { oneOf, readBody } from '../../../http/body.ts';
import type { Services } from '../../../services.ts';
import { createRedFlags } from '../red-flags.ts';
import { fresh, idOfPath, OPERATOR_MERCHANT, operatorActionOf, reason } from './operator-action.ts';

const mode = oneOf(['live', 'sandbox']);
const violation = oneOf(redFlags.fields.violation.values);
const change = oneOf(['warn', 'penalize', 'clear']);

/** Operators' routes for a merchant's red flags. */
export function registerOperatorFlags(fastify: FastifyInstance, services: Services): void {
  const flags = createRedFlags(services);
  fastify.post(`${OPERATOR_MERCHANT}/red_flags`, fresh, async (request, reply) => {
    const members = readBody(request.body, { reason, mode, violation });
    await flags.raise(operatorActionOf(request, members.reason), members);
    return reply.status(204).send();
  });
  fastify.patch(`${OPERATOR_MERCHANT}/red_flags/:id`, fresh, async (request, reply) => {
    const members = readBody(request.body, { reason, change });
    await flags.move(
      operatorActionOf(request, members.reason),
      idOfPath(request, 'id'),
      members.change,
    );
    return reply.status(204).send();
  });
}
