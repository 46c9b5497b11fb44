import { enforcementActions as actions } from '@florin/contract/merchant-status.ts';
import type { FastifyInstance } from 'fastify';
import { type MemberParser, oneOf, optional, readBody } from '../../../http/body.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { createEnforcementActions } from '../enforcement-actions.ts';
import { fresh, OPERATOR_MERCHANT, operatorActionOf, reason } from './operator-action.ts';

type Mode = Scope['mode'];

/** Operators' routes for enforcement actions. */
export function registerOperatorEnforcement(fastify: FastifyInstance, services: Services): void {
  const measures = createEnforcementActions(services);
  fastify.post(`${OPERATOR_MERCHANT}/measures`, fresh, async (request, reply) => {
    const members = readBody(request.body, {
      reason,
      action: oneOf(actions),
      modes,
      red_flag_id: optional(uuid),
    });
    await measures.take(operatorActionOf(request, members.reason), members);
    return reply.status(204).send();
  });
  fastify.post(`${OPERATOR_MERCHANT}/measures/lift`, fresh, async (request, reply) => {
    const members = readBody(request.body, { reason, modes });
    await measures.lift(operatorActionOf(request, members.reason), members.modes);
    return reply.status(204).send();
  });
}

const isMode = (value: unknown): value is Mode => value === 'live' || value === 'sandbox';

const modes: MemberParser<readonly Mode[]> = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isMode)
    ? { value: [...new Set(value)] }
    : { code: 'not_in_list', predicate: 'must be a list of live, sandbox or both' };

const uuid: MemberParser<string> = (value) =>
  typeof value === 'string' && isUuid(value)
    ? { value }
    : { code: 'invalid', predicate: 'must be a UUID' };
