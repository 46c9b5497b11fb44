import { platformLimits } from '@florin/contract/risk/amounts.ts';
import type { Attributes } from '../../api/types.ts';

type Billed = Pick<
  Attributes<'payment_subscriptions'>,
  | 'status'
  | 'amount_cents'
  | 'amount_currency'
  | 'credit_cents'
  | 'canceled_at_period_end'
  | 'next_billing_at'
>;

/** Minor units of the next charge, its credit taken off; undefined where nothing will be charged. */
export function upcomingCents(subscription: Billed): number | undefined {
  const { status, amount_cents, amount_currency, credit_cents } = subscription;
  const { canceled_at_period_end, next_billing_at } = subscription;
  if (status !== 'active' || canceled_at_period_end || !next_billing_at) return undefined;
  const cents = Math.max(0, amount_cents - (credit_cents ?? 0));
  // A charge of less is not made: what is owed of it is added to the next one.
  return cents < platformLimits(amount_currency).min_cents ? 0 : cents;
}
