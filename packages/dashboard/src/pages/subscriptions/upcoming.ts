import type { Attributes } from '../../api/types.ts';

/** A charge of less is not made: what is owed of it is added to the next one. */
const CHARGE_MIN = 10;

type Billed = Pick<
  Attributes<'payment_subscriptions'>,
  'status' | 'amount_cents' | 'credit_cents' | 'canceled_at_period_end' | 'next_billing_at'
>;

/** Minor units of the next charge, its credit taken off; undefined where nothing will be charged. */
export function upcomingCents(subscription: Billed): number | undefined {
  const { status, amount_cents, credit_cents, canceled_at_period_end, next_billing_at } =
    subscription;
  if (status !== 'active' || canceled_at_period_end || !next_billing_at) return undefined;
  const cents = Math.max(0, amount_cents - (credit_cents ?? 0));
  return cents < CHARGE_MIN ? 0 : cents;
}
