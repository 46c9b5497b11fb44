import { paymentTabs, type TabCounts } from '@florin/contract/payment-tabs.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { hasPermission, requirePermission } from '../../../jsonapi/permissions.ts';
import type { Reader } from '../../../jsonapi/reading/read.ts';
import { queryOf } from '../../../jsonapi/request.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import type { TakeSearch } from '../../search/payments/search-payments.ts';
import { createTabCounter } from './count.ts';

/**
 * `GET /dashboard/api/payments/counts?tab=failed&filter[amount_currency]=USD`: payments in each tab of the list under the
 * list's filters and its search `q`, counted up to a limit.
 */
export function registerTabCounts(
  fastify: FastifyInstance,
  services: Services,
  { reader, takeSearch }: { readonly reader: Reader; readonly takeSearch: TakeSearch },
): void {
  const { models } = services;
  const countTabs = createTabCounter(services, reader);
  fastify.get('/dashboard/api/payments/counts', async (request): Promise<TabCounts> => {
    const ctx = await memberContext(services, request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    const readRefunds = permissionSlug(models.get('refund_demands').resource, 'read');
    const mayReadRefunds = hasPermission(ctx, readRefunds);
    const tabs = paymentTabs.filter((tab) => tab !== 'refunded' || mayReadRefunds);
    const query = new URLSearchParams(queryOf(request));
    const address = Object.fromEntries(query);
    // Without the tab's filters, since the search serves all tabs.
    const found = await takeSearch(ctx, new URLSearchParams({ q: query.get('q') ?? '' }));
    return countTabs(ctx, tabs, address, found);
  });
}
