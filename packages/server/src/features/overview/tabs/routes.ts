import { statesOf } from '@florin/contract/machines/define-machine.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import {
  statesOfTab,
  TAB_COUNT_MAX,
  type TabCount,
  type TabCounts,
} from '@florin/contract/payment-tabs.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { FastifyInstance } from 'fastify';
import { hasPermission, requirePermission } from '../../../jsonapi/permissions.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../../people/dashboard/member-context.ts';
import { countPaymentStates, countRefunded } from './sql.ts';

/** One more than is shown, which tells whether there are more. */
const READ_MAX = TAB_COUNT_MAX + 1;
const states = statesOf(paymentDemandMachine);

/** `GET /dashboard/api/payments/counts`: payments in each tab of the list, counted up to a limit. */
export function registerTabCounts(fastify: FastifyInstance, services: Services): void {
  const { reads, models } = services;
  fastify.get('/dashboard/api/payments/counts', async (request): Promise<TabCounts> => {
    const ctx = await memberContext(services, request, { type: 'payment_demands' });
    requirePermission(ctx, models.get('payment_demands'), 'read');
    const readRefunds = permissionSlug(models.get('refund_demands').resource, 'read');
    const refunded =
      hasPermission(ctx, readRefunds) && (await countRefunded(reads, ctx.scope, READ_MAX));
    return {
      ...tabsOf(await countPaymentStates(reads, ctx.scope, states, READ_MAX)),
      ...(refunded && {
        refunded: { ...limited(refunded.payments), is_minimum: refunded.refunds > TAB_COUNT_MAX },
      }),
    };
  });
}

function tabsOf(counts: ReadonlyMap<string, number>): TabCounts {
  const sumOf = (names: readonly string[]) =>
    limited(names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0));
  const isIncomplete = (name: string) =>
    statesOfTab.incomplete.some((incompleteState) => incompleteState === name);
  return {
    all: sumOf(states.filter((name) => !isIncomplete(name))),
    succeeded: sumOf(statesOfTab.succeeded),
    failed: sumOf(statesOfTab.failed),
    disputed: sumOf(statesOfTab.disputed),
    incomplete: sumOf(statesOfTab.incomplete),
  };
}

const limited = (count: number): TabCount => ({
  count: Math.min(count, TAB_COUNT_MAX),
  is_minimum: count > TAB_COUNT_MAX,
});
