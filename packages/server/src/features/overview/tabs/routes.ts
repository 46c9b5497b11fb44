import { paymentTabs, type TabCounts } from '@florin/contract/payment-tabs.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { hasPermission, requirePermission } from '../../../jsonapi/permissions.ts';
import type { Reader } from '../../../jsonapi/reading/read.ts';
import { queryOf } from '../../../jsonapi/request.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { createTabCounter } from './count.ts';

/**
 * `GET /dashboard/api/payments/counts?tab=failed&filter[amount_currency]=USD`: payments in each tab of the list under the
 * list's filters, counted up to a limit.
 */
export function registerTabCounts(
  fastify: FastifyInstance,
  services: Services,
  reader: Reader,
): void {
  const { models } = services;
  const countTabs = createTabCounter(services, reader);
  fastify.get('/dashboard/api/payments/counts', async (request): Promise<TabCounts> => {
    const ctx = await memberContext(services, request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    const readRefunds = permissionSlug(models.get('refund_demands').resource, 'read');
    const mayReadRefunds = hasPermission(ctx, readRefunds);
    const tabs = paymentTabs.filter((tab) => tab !== 'refunded' || mayReadRefunds);
    return countTabs(ctx, tabs, Object.fromEntries(new URLSearchParams(queryOf(request))));
  });
}
