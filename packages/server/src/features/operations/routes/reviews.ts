import type { FastifyInstance } from 'fastify';
import { type MemberParser, readBody } from '../../../http/body.ts';
import type { Services } from '../../../services.ts';
import { createReviews } from '../reviews.ts';
import { fresh, OPERATOR_MERCHANT, operatorActionOf, reason } from './operator-action.ts';

/** Maximum days to the next review: three years, longer than any rule allows. */
const NEXT_DAYS_MAX = 3 * 365;

/** Operators' routes for approval, periodic reviews and notes. */
export function registerOperatorReviews(fastify: FastifyInstance, services: Services): void {
  const reviews = createReviews(services);
  fastify.post(`${OPERATOR_MERCHANT}/approval`, fresh, async (request, reply) => {
    await reviews.approve(operatorActionOf(request, readBody(request.body, { reason }).reason));
    return reply.status(204).send();
  });
  fastify.post(`${OPERATOR_MERCHANT}/review`, fresh, async (request, reply) => {
    await reviews.start(operatorActionOf(request, readBody(request.body, { reason }).reason));
    return reply.status(204).send();
  });
  fastify.post(`${OPERATOR_MERCHANT}/review/finish`, fresh, async (request, reply) => {
    const members = readBody(request.body, { reason, next_in_days: days });
    await reviews.finish(operatorActionOf(request, members.reason), members.next_in_days);
    return reply.status(204).send();
  });
  fastify.post(`${OPERATOR_MERCHANT}/notes`, fresh, async (request, reply) => {
    await reviews.note(operatorActionOf(request, readBody(request.body, { reason }).reason));
    return reply.status(204).send();
  });
}

const days: MemberParser<number> = (value) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= NEXT_DAYS_MAX
    ? { value: value as number }
    : { code: 'invalid', predicate: `must be 1 to ${NEXT_DAYS_MAX} days` };
