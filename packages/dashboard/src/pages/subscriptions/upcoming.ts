import { platformLimits } from '@florin/contract/risk/amounts.ts';
import type { Attributes } from '../../api/types.ts';

type BilledSubscription = Pick<
  Attributes<'payment_subscriptions'>,
  | 'status'
  | 'amount_cents'
  | 'amount_currency'
  | 'credit_cents'
  | 'canceled_at_period_end'
  | 'next_billing_at'
>;

/** Amount of the next charge after credit, in minor units. Undefined if no charge follows. */
export function upcomingCents(subscription: BilledSubscription): number | undefined {
  const { status, amount_cents, amount_currency, credit_cents } = subscription;
  const { canceled_at_period_end, next_billing_at } = subscription;
  if (status !== 'active' || canceled_at_period_end || !next_billing_at) return undefined;
  const cents = Math.max(0, amount_cents - (credit_cents ?? 0));
  // A charge below the minimum is not made: its amount is added to the next charge.
  return cents < platformLimits(amount_currency).min_cents ? 0 : cents;
}
