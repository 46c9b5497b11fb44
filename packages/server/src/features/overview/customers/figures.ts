import {
  CUSTOMER_PAYMENTS_MAX,
  CUSTOMER_SUBSCRIPTIONS_MAX,
  type CustomerFigures,
} from '@florin/contract/customer-figures.ts';
import { permissionSlug } from '@florin/contract/permissions.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import { hasPermission } from '../../../jsonapi/permissions.ts';
import type { Services } from '../../../services.ts';
import {
  countCustomerDisputes,
  countCustomerSubscriptions,
  type PaymentSums,
  sumCustomerPayments,
} from './sql.ts';

/** One more than is counted, which tells whether there are more. */
const READ_MAX = CUSTOMER_PAYMENTS_MAX + 1;

/** Figures of a customer, as far as the caller may read them. Rejects with `OverloadedError` beyond the limit. */
export type CustomerSums = (ctx: RequestContext, id: string) => Promise<CustomerFigures>;

export function createCustomerSums({ reads, models, dashboard_limiter }: Services): CustomerSums {
  const mayRead = (ctx: RequestContext, type: string): boolean =>
    hasPermission(ctx, permissionSlug(models.get(type).resource, 'read'));
  const read = async (ctx: RequestContext, id: string): Promise<CustomerFigures> => {
    const { scope } = ctx;
    const payments =
      mayRead(ctx, 'payment_demands') &&
      paymentFiguresOf(await sumCustomerPayments(reads, scope, id, READ_MAX));
    const disputes =
      payments &&
      mayRead(ctx, 'disputes') &&
      (await countCustomerDisputes(reads, scope, id, CUSTOMER_PAYMENTS_MAX));
    const subscriptions =
      mayRead(ctx, 'payment_subscriptions') &&
      (await countCustomerSubscriptions(reads, scope, id, CUSTOMER_SUBSCRIPTIONS_MAX + 1));
    return {
      ...(payments && { payments }),
      ...(disputes && { disputes: { ...disputes, is_minimum: payments.is_minimum } }),
      ...(subscriptions && { subscriptions: limited(subscriptions) }),
    };
  };
  return (ctx, id) => dashboard_limiter.run(() => read(ctx, id), ctx.scope.merchant_id);
}

type Payments = NonNullable<CustomerFigures['payments']>;

/** Adds the sums of all currencies up. */
export function paymentFiguresOf(sums: readonly PaymentSums[]): Payments {
  const sumOf = (name: 'read' | 'paid' | 'refunded'): number =>
    sums.reduce((total, sum) => total + sum[name], 0);
  return {
    paid: Math.min(sumOf('paid'), CUSTOMER_PAYMENTS_MAX),
    refunded: Math.min(sumOf('refunded'), CUSTOMER_PAYMENTS_MAX),
    amounts: sums
      .filter(({ paid }) => paid > 0)
      .map(({ currency, paid_cents, refunded_cents }) => ({
        currency,
        paid_cents,
        refunded_cents,
      })),
    is_minimum: sumOf('read') > CUSTOMER_PAYMENTS_MAX,
  };
}

const limited = ({ count, active }: { readonly count: number; readonly active: number }) => ({
  count: Math.min(count, CUSTOMER_SUBSCRIPTIONS_MAX),
  active: Math.min(active, CUSTOMER_SUBSCRIPTIONS_MAX),
  is_minimum: count > CUSTOMER_SUBSCRIPTIONS_MAX,
});
