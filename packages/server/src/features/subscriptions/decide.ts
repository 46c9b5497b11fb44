import { triggersFrom } from '@florin/contract/machines/define-machine.ts';
import { paymentSubscriptionMachine } from '@florin/contract/machines/payment-subscription.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import { instantText, type Micros, microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { authenticationColumns, pick } from '../payments/columns.ts';
import { due } from '../payments/decide.ts';
import type { Decision } from '../records/updater.ts';
import { type Standing, wrongState } from '../records/wrong-state.ts';
import {
  isLaterDay,
  nextBillingTime,
  periodUntil,
  proratedAmount,
  type Schedule,
} from './schedule.ts';

/** Whether it is a subscription and not an intent any more. */
export const isConfirmed = ({ confirmed }: Row): boolean =>
  confirmed === 't' || confirmed === 'true';

/** Whether its last charge failed and can be tried again. */
const isRetryable = ({ status, failure_reason }: Row): boolean =>
  (status === 'pending' || status === 'active') && (failure_reason ?? null) !== null;

/** What a client may ask for now, by the names of the operations. */
export function allowedActions(row: Row): string[] {
  const triggers = triggersFrom(paymentSubscriptionMachine, row.status as string);
  if (triggers.length === 0) return [];
  const confirm = !isConfirmed(row) || isRetryable(row) ? ['confirm'] : [];
  return ['update', ...confirm, ...triggers.filter((trigger) => trigger !== 'activate')];
}

/** Whether a card may be put on it: on an intent, or where its last charge failed. */
export const takesCard = (row: Row): boolean => allowedActions(row).includes('confirm');

export const standingOf = (row: Row): Standing => ({
  noun: 'payment subscription',
  state: row.status as string,
  actions: allowedActions(row),
});

/** Throws the 405 unless the subscription takes the action now. */
export function requireAction(row: Row, action: string): void {
  if (!allowedActions(row).includes(action)) throw wrongState(standingOf(row), action);
}

/** Throws the 405 unless it is an intent that can be confirmed. One that another request has confirmed meanwhile is not. */
export function requireIntent(row: Row): void {
  requireAction(row, 'confirm');
  if (isConfirmed(row)) throw wrongState(standingOf(row), 'confirm');
}

/** The schedule of a subscription that was confirmed, which always has an anchor and a period. */
const scheduleOf = (row: Row): Schedule => ({
  anchor: microsOf(row.billing_cycle_anchor_at as string),
  period: row.billing_period as BillingPeriod,
});

/**
 * An intent that lacks nothing becomes a subscription. It is active at once where that is asked for, or where
 * nothing is to be charged before the anchor; otherwise it waits for its first charge.
 */
export function decideConfirm(row: Row, now: Micros, straight: boolean): Decision {
  const billing_cycle_anchor_at = row.billing_cycle_anchor_at ?? instantText(now);
  const confirmed: Row = { ...row, billing_cycle_anchor_at, confirmed: 'true' };
  const active = straight || firstCharge(confirmed, now) === undefined;
  return {
    ...(active && { trigger: 'activate' }),
    set: {
      confirmed: 'true',
      billing_cycle_anchor_at,
      next_billing_at: instantText(secondBilling(scheduleOf(confirmed), now)),
      ...(active && { last_active_at: instantText(now) }),
    },
    events: straight ? ['created'] : ['created', 'updated'],
  };
}

/** What comes after the first charge: the first full one where that is for the time until the anchor. */
function secondBilling(schedule: Schedule, now: Micros): Micros {
  if (isLaterDay(schedule.anchor, now)) return schedule.anchor;
  return nextBillingTime(schedule, Math.max(schedule.anchor, now));
}

/** What is charged at once when a subscription is confirmed, in minor units; undefined where it is nothing. */
export function firstCharge(row: Row, now: Micros): number | undefined {
  const schedule = scheduleOf(row);
  const amount = Number(row.amount_cents);
  if (!isLaterDay(schedule.anchor, now)) return amount;
  if (row.proration_behavior !== 'create_prorations') return undefined;
  return proratedAmount(schedule, amount, now);
}

/** A failed charge is sent again, with the card that the subscription has now. */
export const decideRetry = (charge: Row, subscription: Row, now: Micros): Decision => ({
  trigger: 'confirm',
  set: { ...due(now), ...newCard(charge, subscription) },
  events: ['updated'],
});

const newCard = (charge: Row, subscription: Row): Row =>
  charge.payment_method_id === subscription.payment_method_id
    ? {}
    : pick(subscription, ['payment_method_id', ...authenticationColumns]);

/** What the state of one of its charges means to a subscription. */
export function decideCharged(row: Row, charge: Row, now: Micros): Decision {
  const set: Row = { failure_reason: charge.failure_reason ?? null, ...checksOf(charge) };
  if (charge.status !== 'succeeded') return { set, events: ['updated'] };
  return {
    ...(row.status === 'pending' && { trigger: 'activate' }),
    set: {
      ...set,
      last_processed_at: instantText(now),
      ...(row.status === 'pending' && { last_active_at: instantText(now) }),
      ...(row.status !== 'cancelled' && paidPeriod(row, now)),
    },
    events: ['updated'],
  };
}

const checksOf = (charge: Row): Row => ({
  cvc2_check: charge.cvc2_check as string,
  address_line1_verification: charge.address_line1_verification as string,
  postal_code_verification: charge.postal_code_verification as string,
});

/** What a charge pays for ends when the next one is due. */
function paidPeriod(row: Row, now: Micros): Row {
  const schedule = scheduleOf(row);
  const { start, end } = periodUntil(schedule, upcomingBilling(row, now), now);
  return {
    current_period_start_at: instantText(start),
    current_period_end_at: instantText(end),
    next_billing_at: instantText(end),
  };
}

/** When it is billed next: as it was planned, unless that has passed. */
function upcomingBilling(row: Row, now: Micros): Micros {
  const planned = row.next_billing_at ? microsOf(row.next_billing_at) : now;
  return planned > now ? planned : nextBillingTime(scheduleOf(row), now);
}

export function decidePause(row: Row, now: Micros): Decision {
  requireAction(row, 'pause');
  return { trigger: 'pause', set: { last_paused_at: instantText(now) }, events: ['updated'] };
}

/** What fell due while it was paused is not billed. */
export function decideResume(row: Row, now: Micros): Decision {
  requireAction(row, 'resume');
  const next_billing_at = instantText(upcomingBilling(row, now));
  const set = { last_active_at: instantText(now), next_billing_at };
  return { trigger: 'resume', set, events: ['updated'] };
}

/** An intent nobody was told of ends in silence, as it began. */
export function decideCancel(row: Row, now: Micros): Decision {
  requireAction(row, 'cancel');
  return {
    trigger: 'cancel',
    set: { canceled_at: instantText(now), next_billing_at: null },
    events: isConfirmed(row) ? ['updated'] : [],
  };
}
