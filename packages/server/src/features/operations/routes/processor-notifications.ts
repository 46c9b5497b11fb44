import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import {
  findNotification,
  listNotifications,
  replayNotification,
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
  const { reads, db, system_clock, wake } = services;
  fastify.get(PATH, async ({ query }) => {
    const { open, after = '' } = query as PageQuery;
    const rows = await listNotifications(reads, {
      open: open === 'true',
      limit: PAGE_SIZE,
      before: ID.test(after) ? after : null,
    });
    const next = rows.length === PAGE_SIZE ? rows.at(-1)?.id : null;
    return { data: rows.map(viewOf), next };
  });
  fastify.get(`${PATH}/:id`, async (request) => {
    const row = await findNotification(reads, idOfPath(request, 'id'));
    if (!row) throw notFound();
    const body = Buffer.from(row.body as string, 'base64').toString();
    return { data: { ...viewOf(row), body } };
  });
  fastify.post(`${PATH}/:id/replay`, fresh, async (request, reply) => {
    const at = instantText(system_clock.now());
    if (!(await replayNotification(db, idOfPath(request, 'id'), at))) throw notFound();
    wake.notification.raise();
    return reply.status(204).send();
  });
}

const viewOf = ({ outcomes, due_at, received_at, updated_at, hash: _, body: __, ...row }: Row) => ({
  ...row,
  tries: Number(row.tries),
  outcomes: outcomes ? JSON.parse(outcomes) : [],
  due_at: isoOf(due_at),
  received_at: isoOf(received_at),
  updated_at: isoOf(updated_at),
});
