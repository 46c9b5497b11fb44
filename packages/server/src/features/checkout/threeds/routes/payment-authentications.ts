import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../../../jsonapi/permissions.ts';
import { notFound } from '../../../../jsonapi/problems.ts';
import type { Row } from '../../../../platform/database/row.ts';
import { isUuid } from '../../../../platform/ids.ts';
import { instantText, microsOf } from '../../../../platform/time/clock.ts';
import type { Services } from '../../../../services.ts';
import { memberContext } from '../../../people/dashboard/member-context.ts';
import { listAuthentications } from '../sql.ts';

/**
 * `GET /dashboard/api/payments/<id>/authentications`: all authentications of a payment, oldest
 * first. The interface has no such list. Empty if the caller may not read the payment.
 */
export function registerPaymentAuthentications(fastify: FastifyInstance, services: Services): void {
  const { models, reads } = services;
  const url = '/dashboard/api/payments/:id/authentications';
  fastify.get<{ Params: { id: string } }>(url, async (request) => {
    const { id } = request.params;
    const ctx = await memberContext(services, request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    if (!isUuid(id)) throw notFound();
    return (await listAuthentications(reads, ctx.scope, id)).map(viewOf);
  });
}

/** A row with instants in the interface's format. Other values keep PostgreSQL's text. */
const viewOf = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value != null && /_(?:at|since)$/.test(name) ? instantText(microsOf(value)) : value,
    ]),
  );
