import type { PaymentSums } from '@florin/contract/payment-sums.ts';
import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import type { Reader } from '../../../jsonapi/reading/read.ts';
import { queryOf } from '../../../jsonapi/request.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import type { TakeSearch } from '../../search/payments/search-payments.ts';
import { createListSummer } from './sum.ts';

/**
 * `GET /dashboard/api/payments/sums?tab=all&filter[created_at][gte]=…`: approved payments of the list under its filters and
 * its search `q`, by currency.
 */
export function registerListSums(
  fastify: FastifyInstance,
  services: Services,
  { reader, takeSearch }: { readonly reader: Reader; readonly takeSearch: TakeSearch },
): void {
  const payments = services.models.get('payment_demands');
  const sum = createListSummer(services, reader);
  fastify.get('/dashboard/api/payments/sums', async (request): Promise<PaymentSums> => {
    const ctx = await memberContext(services, request, { type: payments.type });
    requirePermission(ctx, payments, 'read');
    const query = new URLSearchParams(queryOf(request));
    return sum(ctx, { address: Object.fromEntries(query), found: await takeSearch(ctx, query) });
  });
}
