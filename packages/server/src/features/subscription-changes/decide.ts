import { problem } from '@florin/contract/errors.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../platform/time/clock.ts';
import { authenticationColumns, pickColumns } from '../payments/columns.ts';
import { billedNext, dueAt, scheduleOf } from '../subscriptions/billing/billing.ts';
import type { ChargePlan } from '../subscriptions/billing/charge-plan.ts';
import { afterCredit, hasNoPeriodLeft, paidColumns } from '../subscriptions/billing/cycle.ts';
import {
  billingTime,
  type Period,
  periodUntil,
  type Schedule,
  shareOf,
} from '../subscriptions/billing/schedule.ts';
import { planColumns } from '../subscriptions/previous-plan.ts';

/** Effect of a change on its subscription, and its cost. */
export interface ChangeDecision {
  readonly set: Row;
  readonly charge?: ChargePlan;
  /** Period that begins with the change; absent if the current period continues. */
  readonly opens?: Period & { readonly amount: number };
}

/** New plan. Amounts are in minor units. */
interface NewPlan {
  readonly amount: number;
  readonly period: BillingPeriod;
  readonly isOtherPeriod: boolean;
}

/**
 * Decides the effect of a change on an active subscription. Pure. Throws 422 if the subscription
 * cannot be changed, or nothing would change.
 */
export function decideChange(row: Row, change: Row, now: Micros): ChangeDecision {
  requireChangeable(row);
  const newPlan = newPlanOf(row, change);
  const card = cardOf(row, change);
  const current = currentPeriod(row, now);
  const decision =
    current && isProrated(change) ? fromNow(row, newPlan, current, now) : fromNext(row, newPlan);
  const set = { amount_cents: String(newPlan.amount), ...card, ...decision.set };
  return { ...decision, set };
}

/** Whether a change is prorated. Another card alone costs nothing. */
const isProrated = ({ proration_behavior, amount_cents, billing_period }: Row): boolean =>
  proration_behavior === 'create_prorations' && Boolean(amount_cents || billing_period);

function requireChangeable({ status, past_due_since }: Row): void {
  const detail =
    status !== 'active'
      ? `The subscription is ${status}. Only an active subscription can be changed this way.`
      : 'A charge of the subscription is past due. Change the subscription after the charge is paid.';
  if (status === 'active' && !past_due_since) return;
  throw problem('invalid', detail, { pointer: '/data/relationships/payment_subscription' });
}

function newPlanOf(row: Row, change: Row): NewPlan {
  if (!change.amount_cents && !change.billing_period && !change.payment_method_id) {
    const detail = 'Send at least one of amount_cents, billing_period or payment_method.';
    throw problem('invalid', detail, { pointer: '/data/attributes' });
  }
  const period = (change.billing_period ?? row.billing_period) as BillingPeriod;
  return {
    amount: Number(change.amount_cents ?? row.amount_cents),
    period,
    isOtherPeriod: period !== row.billing_period,
  };
}

/** Columns of another card, which has no authentication for this subscription yet. */
const cardOf = (row: Row, { payment_method_id }: Row): Row =>
  payment_method_id && payment_method_id !== row.payment_method_id
    ? { ...pickColumns({}, authenticationColumns), payment_method_id }
    : {};

/** Current period, which is paid. */
function currentPeriod(
  { current_period_start_at, current_period_end_at }: Row,
  now: Micros,
): Period | undefined {
  if (!current_period_start_at || !current_period_end_at) return undefined;
  const period = {
    start: microsOf(current_period_start_at),
    end: microsOf(current_period_end_at),
  };
  return period.start <= now && now < period.end ? period : undefined;
}

/** Change that takes effect with the next charge. A period of another length begins then. */
const fromNext = (row: Row, { period, isOtherPeriod }: NewPlan): ChangeDecision => ({
  set: isOtherPeriod
    ? { billing_period: period, billing_cycle_anchor_at: row.next_billing_at as string }
    : {},
});

function fromNow(row: Row, newPlan: NewPlan, current: Period, now: Micros): ChangeDecision {
  const unusedValue = shareOf(Number(row.period_amount_cents ?? row.amount_cents), current, now);
  return newPlan.isOtherPeriod
    ? newPeriod(row, newPlan, unusedValue, now)
    : samePeriod(row, newPlan, current, unusedValue, now);
}

/** Change of the period's length: a new period begins now, less the value of the unused time. */
function newPeriod(
  row: Row,
  { amount, period }: NewPlan,
  unusedValue: number,
  now: Micros,
): ChangeDecision {
  if (hasNoPeriodLeft(row)) throw noPeriodLeft();
  const schedule: Schedule = { ...scheduleOf(row), anchor: now, period };
  const openedPeriod = { start: now, end: billingTime(schedule, 1), amount };
  const { charge, set } = onSettled(row, amount, unusedValue, {
    period: openedPeriod,
    worth: amount,
  });
  return {
    opens: openedPeriod,
    ...charge,
    set: {
      ...set,
      billing_period: period,
      billing_cycle_anchor_at: instantText(now),
      charges_count: String(Number(row.charges_count) + 1),
      ...billedNext(openedPeriod.end, now),
      ...(!charge && paidColumns(openedPeriod, amount)),
    },
  };
}

const noPeriodLeft = (): Error =>
  problem(
    'invalid',
    'The last of charges_max periods is running, and another billing_period would start one more. Raise charges_max first.',
    { pointer: '/data/attributes/billing_period' },
  );

/**
 * Change of the amount: charges the rest of the period at the new amount, less its value at the old
 * amount.
 */
function samePeriod(
  row: Row,
  { amount }: NewPlan,
  current: Period,
  unusedValue: number,
  now: Micros,
): ChangeDecision {
  const fullPeriod = wholePeriod(scheduleOf(row), current.end);
  const price = shareOf(amount, fullPeriod, current.start);
  const { charge, set } = onSettled(row, shareOf(amount, fullPeriod, now), unusedValue, {
    period: current,
    worth: price,
  });
  return { ...charge, set: { ...set, ...(!charge && { period_amount_cents: String(price) }) } };
}

/** Full period that ends at a billing time, even if the subscription paid for a part of it. */
const wholePeriod = (schedule: Schedule, end: Micros): Period =>
  end <= schedule.anchor
    ? { start: billingTime(schedule, -1), end }
    : periodUntil(schedule, end, end);

/**
 * Price less the value of the unused paid time. A positive result is charged, a negative result
 * becomes credit. The period's value changes when the charge is paid.
 */
function onSettled(
  row: Row,
  price: number,
  unusedValue: number,
  paidPeriod: { readonly period: Period; readonly worth: number },
): { readonly charge?: { readonly charge: ChargePlan }; readonly set: Row } {
  const cost = price - unusedValue;
  const { charge, credit_cents } = afterCredit(row, cost);
  const set = { credit_cents: String(credit_cents) };
  if (charge === undefined) return { set };
  const credit_used = cost - charge;
  const plan = {
    ...paidPeriod,
    amount: cost,
    credit_used,
    unused: unusedValue,
    reason: 'change',
  } as const;
  return { set: { ...set, ...planColumns(row) }, charge: { charge: plan } };
}

/** Columns of a change with its result for the subscription. */
export function outcomeOf({ charge }: ChangeDecision, subscription: Row): Row {
  const { next_billing_at: at, amount_cents } = subscription;
  const nextCharge = afterCredit(
    subscription,
    at ? dueAt(subscription, microsOf(at)).amount : Number(amount_cents),
  );
  return {
    charged_cents: String(charge ? charge.amount - charge.credit_used : 0),
    credit_cents: subscription.credit_cents as string,
    next_amount_cents: String(nextCharge.charge ?? 0),
    next_billing_at: subscription.next_billing_at ?? null,
  };
}
