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
import { chargeFrom, scheduleOf, upcomingBilling } from './billing.ts';
import { isLaterDay, periodUntil, type Schedule } from './schedule.ts';

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
 * same, whenever it is paid.
 */
export function decideRetry(charge: Row, subscription: Row, now: Micros): Decision {
  const amount = chargeFrom(subscription, microsOf(charge.created_at as string));
  const bought: Row = {
    ...pick(subscription, chargedFor),
    amount_cents: amount === undefined ? (charge.amount_cents as string) : String(amount),
  };
  const set = { ...due(now), ...bought, ...staleAuthentication(charge, bought) };
  return { trigger: 'confirm', set, events: ['updated'] };
}

/** The card that a subscription has, where that is not the one of its charge. */
export const newCard = (charge: Row, subscription: Row): Row =>
  charge.payment_method_id === subscription.payment_method_id
    ? {}
    : pick(subscription, ['payment_method_id', ...authenticationColumns]);

/** What the state of one of its charges means to a subscription. */
export function decideCharged(row: Row, charge: Row, now: Micros): Decision {
  const set: Row = {
    failure_reason: charge.failure_reason ?? null,
    ...checksOf(charge),
    ...withoutUsedProof(row),
  };
  if (charge.status !== 'succeeded') return { set, events: ['updated'] };
  return {
    ...(row.status === 'pending' && { trigger: 'activate' }),
    set: {
      ...set,
      last_processed_at: instantText(now),
      ...(row.status === 'pending' && { last_active_at: instantText(now) }),
      ...(row.status !== 'cancelled' && paidPeriod(row, charge, now)),
    },
    events: ['updated'],
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
  if (isLaterDay(schedule.anchor, made)) return paidUntilAnchor(row, schedule, made);
  const { start, end } = periodUntil(schedule, upcomingBilling(row, now), now);
  return {
    current_period_start_at: instantText(start),
    current_period_end_at: instantText(end),
    next_billing_at: instantText(end),
  };
}

/** A later period that is paid for already stays the current one. */
function paidUntilAnchor({ current_period_end_at }: Row, { anchor }: Schedule, made: Micros): Row {
  if (current_period_end_at && microsOf(current_period_end_at) >= anchor) return {};
  return {
    current_period_start_at: instantText(made),
    current_period_end_at: instantText(anchor),
  };
}
