import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isUuid } from '../../../platform/ids.ts';
import { instantText, microsOf } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import type { MemberContext } from '../../people/dashboard/member-context.ts';
import { attemptsOf, authenticationsOf } from '../sql/payment-history.ts';

/**
 * `GET /dashboard/api/payments/<id>/history`: the messages to the network and the authentications of a payment, which
 * the interface shows the outcomes of alone. Both are empty of one that is not there.
 */
export function registerPaymentHistory(
  fastify: FastifyInstance,
  { models, reads }: Services,
  contextOf: MemberContext,
): void {
  const url = '/dashboard/api/payments/:id/history';
  fastify.get<{ Params: { id: string } }>(url, async (request) => {
    const { id } = request.params;
    const ctx = await contextOf(request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    if (!isUuid(id)) throw notFound();
    const [attempts, authentications] = await Promise.all([
      attemptsOf(reads, ctx.scope, id),
      authenticationsOf(reads, ctx.scope, id),
    ]);
    return { attempts: attempts.map(viewOf), authentications: authentications.map(viewOf) };
  });
}

/** Instants as the interface writes them. Other values stay the text that the database has. */
const viewOf = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value != null && /_(?:at|since)$/.test(name) ? instantText(microsOf(value)) : value,
    ]),
  );
