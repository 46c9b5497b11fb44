import type { CustomerFigures } from '@florin/contract/customer-figures.ts';
import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { createCustomerSums } from './figures.ts';

/** `GET /dashboard/api/customers/<id>/figures`: what a customer paid, and counts, up to a limit. */
export function registerCustomerFigures(fastify: FastifyInstance, services: Services): void {
  const { models, reads } = services;
  const sums = createCustomerSums(services);
  const url = '/dashboard/api/customers/:id/figures';
  fastify.get<{ Params: { id: string } }>(url, async (request): Promise<CustomerFigures> => {
    const { id } = request.params;
    const ctx = await memberContext(services, request, { type: 'customers' });
    requirePermission(ctx, models.get('customers'), 'read');
    if (!isUuid(id) || !(await findRow(reads, 'customers', ctx.scope, id))) throw notFound();
    return sums(ctx, id);
  });
}
