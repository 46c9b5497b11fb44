import type { FastifyInstance } from 'fastify';
import { iso, pageOf, placeOf } from '../../../http/place.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { timelineOfId } from '../../timelines/timeline-of.ts';
import { askNow, listUnanswered } from '../sql/unanswered.ts';
import { fresh, idIn, OPERATOR_PATH, scopeIn } from './order.ts';

const PAGE_SIZE = 50;

/** Messages to processors without an outcome. */
export function registerOperatorUnknown(fastify: FastifyInstance, services: Services): void {
  const { reads, db, machine } = services;
  fastify.get(`${OPERATOR_PATH}/unknown_outcomes`, async (request) => {
    const now = machine.now();
    const rows = await listUnanswered(reads, { limit: PAGE_SIZE + 1, after: placeOf(request) });
    return { ...pageOf(rows, PAGE_SIZE, 'since', view), now: instantText(now) };
  });
  fastify.post(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/unknown_outcomes/:id/ask`,
    fresh,
    async (request, reply) => {
      const id = idIn(request, 'id');
      const scope = scopeIn(request);
      const { clock } = await timelineOfId(services, scope, ['attempts'], id);
      if (!(await askNow(db, { ...scope, id, at: instantText(clock.now()) }))) throw notFound();
      return reply.status(204).send();
    },
  );
}

const view = ({ since, due_at, inquiries, ...row }: Row) => ({
  ...row,
  inquiries: Number(inquiries),
  since: iso(since),
  due_at: iso(due_at),
});
