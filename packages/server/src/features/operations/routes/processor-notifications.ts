import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { personOf } from '../../people/dashboard/api.ts';
import { paymentsOf } from '../../processor-notifications/notified-payments.ts';
import { replay } from '../../processor-notifications/replay.ts';
import {
  findNotification,
  listNotifications,
} from '../../processor-notifications/sql/notifications.ts';
import { fresh, idOfPath, OPERATOR_PATH } from './operator-action.ts';

const PAGE_SIZE = 50;
const PATH = `${OPERATOR_PATH}/processor_notifications`;
const ID = /^[0-9a-f-]{36}$/;

interface PageQuery {
  readonly open?: string;
  /** `next` of the page before. */
  readonly after?: string;
}

/** Operators' routes for notifications of processors: list, read and replay. */
export function registerProcessorNotifications(fastify: FastifyInstance, services: Services): void {
  const { reads } = services;
  fastify.get(PATH, async ({ query }) => {
    const { open, after = '' } = query as PageQuery;
    const rows = await listNotifications(reads, {
      open: open === 'true',
      limit: PAGE_SIZE,
      before: ID.test(after) ? after : null,
    });
    const next = rows.length === PAGE_SIZE ? rows.at(-1)?.id : null;
    const payments = await paymentsOf(services, rows);
    return { data: rows.map((row) => viewOf(row, payments)), next };
  });
  fastify.get(`${PATH}/:id`, async (request) => {
    const row = await findNotification(reads, idOfPath(request, 'id'));
    if (!row) throw notFound();
    const body = Buffer.from(row.body as string, 'base64').toString();
    return { data: { ...viewOf(row, await paymentsOf(services, [row])), body } };
  });
  fastify.post(`${PATH}/:id/replay`, fresh, async (request, reply) => {
    await replay(services, personOf(request).account.id, idOfPath(request, 'id'));
    return reply.status(204).send();
  });
}

const viewOf = (
  { hash: _, body: __, replayed_by: ___, ...row }: Row,
  payments: Awaited<ReturnType<typeof paymentsOf>>,
) => ({
  ...row,
  payments: payments.get(row.id as string) ?? [],
  tries: Number(row.tries),
  outcomes: row.outcomes ? JSON.parse(row.outcomes) : [],
  due_at: isoOf(row.due_at),
  received_at: isoOf(row.received_at),
  replayed_at: isoOf(row.replayed_at),
  updated_at: isoOf(row.updated_at),
});
