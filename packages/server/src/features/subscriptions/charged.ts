import { instantText, type Micros, microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import {
  authenticationColumns,
  pick,
  staleAuthentication,
  withoutUsedProof,
} from '../payments/columns.ts';
import { due } from '../payments/decide.ts';
import type { Decision } from '../records/updater.ts';
import { billedAt, billedNext, scheduleOf, upcomingBilling } from './billing.ts';
import { paid } from './cycle.ts';
import { type BillingPolicy, notPastDue, pastDue } from './dunning.ts';
import { CHARGE_MIN, isLaterDay, nextBillingTime, periodUntil, type Schedule } from './schedule.ts';

/** What a charge is for is what its subscription says when it is sent; of the charge alone it cannot be changed. */
export const chargedFor = [
  'amount_currency',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
] as const;

/**
 * A failed charge is sent again, for what its subscription asks by now: the time that it was made for stays the
 * same, whenever it is paid. With `card`, as `newCard` gives it, it is sent with another one.
 */
export function decideRetry(charge: Row, subscription: Row, now: Micros, card: Row = {}): Decision {
  const bought: Row = {
    ...pick(subscription, chargedFor),
    ...card,
    amount_cents: amountNow(charge, subscription),
  };
  const proof = bought.payment_method_id
    ? proofOf(subscription, bought)
    : staleAuthentication(charge, bought);
  return { trigger: 'confirm', set: { ...due(now), ...bought, ...proof }, events: ['updated'] };
}

/** What the bank said of a cardholder is said of the price of the subscription: a charge of another amount goes without. */
export const proofOf = (subscription: Row, { amount_cents }: Row): Row =>
  pick(amount_cents === subscription.amount_cents ? subscription : {}, authenticationColumns);

/** What a change of a subscription cost is settled; any other charge costs what its period does by now, less the credit that it used. */
function amountNow(charge: Row, subscription: Row): string {
  const known = charge.amount_cents as string;
  if (charge.billing_reason === 'change') return known;
  const price = priceNow(charge, subscription);
  if (price === undefined) return known;
  return String(Math.max(CHARGE_MIN, price - Number(charge.credit_used_cents ?? 0)));
}

/** A full period costs what the subscription does, a part of one its share from when that began. */
function priceNow(charge: Row, subscription: Row): number | undefined {
  if (charge.billing_reason === 'renewal') return Number(subscription.amount_cents);
  const from =
    charge.period_start_at && charge.billing_reason === 'proration'
      ? charge.period_start_at
      : charge.created_at;
  return billedAt(subscription, microsOf(from as string))?.amount;
}

/** The card that a subscription has, where that is not the one of its charge. */
export const newCard = (charge: Row, subscription: Row): Row =>
  charge.payment_method_id === subscription.payment_method_id
    ? {}
    : pick(subscription, ['payment_method_id']);

/** What the state of one of its charges means to a subscription. */
export function decideCharged(
  row: Row,
  charge: Row,
  policy: Pick<BillingPolicy, 'dunning_days'>,
  now: Micros,
): Decision {
  const set: Row = {
    failure_reason: charge.failure_reason ?? null,
    ...checksOf(charge),
    ...withoutUsedProof(row),
    ...(row.put_aside_until && { put_aside_until: null }),
  };
  if (charge.status === 'failed') return failed(row, charge, set, policy, now);
  if (charge.status !== 'succeeded') {
    return { set: { ...set, ...(row.next_try_at && { next_try_at: null }) }, events: ['updated'] };
  }
  const recovers = row.past_due_charge_id === charge.id && (row.past_due_since ?? null) !== null;
  return {
    ...(row.status === 'pending' && { trigger: 'activate' }),
    set: {
      ...set,
      ...(recovers && notPastDue),
      last_processed_at: instantText(now),
      ...(row.status === 'pending' && { last_active_at: instantText(now) }),
      ...(row.status !== 'cancelled' && paidPeriod(row, charge, now)),
    },
    events: recovers ? ['updated', 'recovered'] : ['updated'],
  };
}

/** One that lives is asked for the money again; the first charge of one that never lived waits for its customer. */
function failed(
  row: Row,
  charge: Row,
  set: Row,
  policy: Pick<BillingPolicy, 'dunning_days'>,
  now: Micros,
): Decision {
  if (row.status !== 'active' && row.status !== 'paused') return { set, events: ['updated'] };
  const isOtherCard = charge.payment_method_id !== row.payment_method_id;
  return {
    set: {
      ...set,
      ...pastDue(row, charge, policy, now),
      ...(isOtherCard && { next_try_at: instantText(now) }),
    },
    events: row.past_due_since ? ['updated'] : ['updated', 'past_due'],
  };
}

const checksOf = (charge: Row): Row => ({
  cvc2_check: charge.cvc2_check as string,
  address_line1_verification: charge.address_line1_verification as string,
  postal_code_verification: charge.postal_code_verification as string,
});

/**
 * A charge that was made before the anchor pays for the time until then, whenever it succeeds: the first full
 * period stays due. What another one pays for ends when the next is due.
 */
function paidPeriod(row: Row, charge: Row, now: Micros): Row {
  const schedule = scheduleOf(row);
  const made = microsOf(charge.created_at as string);
  if (isLaterDay(schedule, made)) {
    const late = row.status === 'pending' ? lateBilling(row, schedule, now) : {};
    return { ...paidUntilAnchor(row, schedule, charge), ...late };
  }
  if (row.status !== 'pending') return laterPeriod(row, charge);
  const { start, end } = periodUntil(schedule, upcomingBilling(row, now), now);
  return { ...paid({ start, end }, worthOf(charge)), ...billedNext(end, now) };
}

/** Nobody is charged for months in which a subscription was not paid for yet: the period that runs is the first one due. */
function lateBilling({ next_billing_at }: Row, schedule: Schedule, now: Micros): Row {
  if (!next_billing_at || now < schedule.anchor) return {};
  const { start } = periodUntil(schedule, nextBillingTime(schedule, now), now);
  return start > microsOf(next_billing_at) ? billedNext(start, now) : {};
}

/** What a renewal or a change pays for was settled when it was made. */
function laterPeriod({ current_period_end_at }: Row, charge: Row): Row {
  const { period_start_at, period_end_at } = charge;
  if (!period_end_at || !period_start_at) return {};
  const known = current_period_end_at ? microsOf(current_period_end_at) : 0;
  return known >= microsOf(period_end_at)
    ? {}
    : paid({ start: microsOf(period_start_at), end: microsOf(period_end_at) }, worthOf(charge));
}

/** What the period costs that a charge pays for, in minor units. */
const worthOf = ({ amount_cents, credit_used_cents }: Row): number =>
  Number(amount_cents) + Number(credit_used_cents ?? 0);

/** A later period that is paid for already stays the current one. */
function paidUntilAnchor({ current_period_end_at }: Row, { anchor }: Schedule, charge: Row): Row {
  if (current_period_end_at && microsOf(current_period_end_at) >= anchor) return {};
  const made = microsOf(charge.created_at as string);
  return paid({ start: made, end: anchor }, worthOf(charge));
}
