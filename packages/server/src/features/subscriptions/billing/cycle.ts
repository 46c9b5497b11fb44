import type { BillingReason } from '@florin/contract/resources/billing-reasons.ts';
import type { EndReason } from '@florin/contract/resources/payment-subscriptions.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import type { Change } from '../../../platform/database/transition.ts';
import { instantText, type Micros, microsOf } from '../../../platform/time/clock.ts';
import type { Decision } from '../../records/updater.ts';
import { previousPlanColumns } from '../previous-plan.ts';
import { billedAfter, type SkippedPeriod, skippedTime, skippedUntil } from '../skipped.ts';
import { billedNext, dueAt, freeUntil } from './billing.ts';
import type { ChargePlan } from './charge-plan.ts';
import { type BillingPolicy, finalActionOf, notPastDue } from './dunning.ts';
import { chargeMin, type Period } from './schedule.ts';
import { isOpening } from './tally.ts';

/** Reason for a notice to the payer: coming charge, end, or end for lack of payment. */
export type NoticeTrigger = 'upcoming' | 'ended' | 'unpaid';

/** One step of a due subscription. Further due work is a step of its own. */
export interface Step {
  /**
   * Change of the subscription; absent if only its charge changes, which updates the subscription
   * later.
   */
  readonly decision?: Decision & Pick<Change, 'internal'>;
  /** Periods for which no charge is made. */
  readonly periods: readonly SkippedPeriod[];
  readonly charge?: ChargePlan;
  /** Set if the failed charge is sent again. */
  readonly tries?: true;
  /**
   * Result for the period of a given-up charge. `undone`: the change is reverted, and the paid
   * period continues.
   */
  readonly givesUp?: 'unpaid' | 'undone';
  readonly notice?: NoticeTrigger;
}

/** Facts that are not in the subscription's row. */
export interface BillingFacts {
  readonly policy: BillingPolicy;
  /** Failing charge; absent if there is none, or another worker has locked it. */
  readonly failing?: Row | undefined;
  /** Whether a charge of the subscription has no outcome yet. */
  readonly isCharging: boolean;
}

const isReached = (at: string | null | undefined, now: Micros): boolean =>
  Boolean(at) && microsOf(at as string) <= now;

/**
 * Decides the next step of a due, locked subscription. Undefined if it must wait for other work.
 */
export function decideStep(row: Row, facts: BillingFacts, now: Micros): Step | undefined {
  if (row.status === 'pending') return decidePending(row, facts, now);
  if (isReached(row.end_at, now)) return endSubscription(row, 'end_at', now);
  if (row.past_due_since && row.status === 'active') return decidePastDue(row, facts, now);
  if (isOver(row, now)) return endSubscription(row, reasonOfEnd(row), now);
  if (!isReached(row.next_billing_at, now)) return noticeStep(row);
  return facts.isCharging ? waitForCharge(now) : billStep(row, facts.policy, now);
}

/**
 * Ends a subscription whose first charge stayed unpaid until the deadline, unless a retry is in
 * flight.
 */
function decidePending(row: Row, facts: BillingFacts, now: Micros): Step | undefined {
  if (!isReached(row.dunning_ends_at, now)) return undefined;
  if (facts.isCharging) return waitForCharge(now);
  const { decision } = endSubscription(row, 'first_charge_unpaid', now);
  return { decision: { ...decision, events: ['updated', 'unpaid', 'cancelled'] }, periods: [] };
}

/**
 * Defers the next period while the previous charge is in flight. The charge's outcome ends the wait
 * sooner.
 */
const waitForCharge = (now: Micros): Step => ({
  decision: { set: { put_aside_until: instantText(now + WAIT) }, events: [], internal: true },
  periods: [],
});

/** Whether the maximum number of full periods is charged. */
export const hasNoPeriodLeft = ({ charges_max, charges_count }: Row): boolean =>
  charges_max != null && Number(charges_count) >= Number(charges_max);

/** Whether the subscription ends with the current period. */
const endsWithPeriod = (row: Row): boolean =>
  isTrue(row.canceled_at_period_end) || hasNoPeriodLeft(row);

/** Time at which the subscription will end automatically, if known. */
export function endOf(row: Row): Micros | undefined {
  const endTimes = [row.end_at, ...(endsWithPeriod(row) ? [row.next_billing_at] : [])].flatMap(
    (at) => (at ? [microsOf(at)] : []),
  );
  return endTimes.length > 0 ? Math.min(...endTimes) : undefined;
}

/** Whether the last period of the subscription is over. */
const isOver = (row: Row, now: Micros): boolean =>
  isReached(row.next_billing_at, now) && endsWithPeriod(row);

/** Reason why a subscription ends with its current period. */
const reasonOfEnd = ({ canceled_at_period_end, cancel_asked_by }: Row): EndReason => {
  if (!isTrue(canceled_at_period_end)) return 'charges_max';
  return cancel_asked_by === 'customer' ? 'customer' : 'merchant';
};

/** Ends a subscription and gives up its failing charge. */
const endSubscription = (
  row: Row,
  reason: EndReason,
  now: Micros,
): Step & Required<Pick<Step, 'decision'>> => ({
  decision: {
    trigger: 'cancel',
    set: cancelledSet(reason, now),
    events: ['updated', 'cancelled'],
  },
  periods: [],
  ...(row.past_due_charge_id && ({ givesUp: 'unpaid' } as const)),
  notice: 'ended',
});

/** Columns of a subscription that ends now. */
export const cancelledSet = (end_reason: EndReason, now: Micros): Row => ({
  ...notPastDue,
  end_reason,
  canceled_at: instantText(now),
  next_billing_at: null,
  notice_at: null,
});

/**
 * Notifies the payer of the next charge or end. Sends no notice of a charge that will not be made.
 */
function noticeStep(row: Row): Step {
  const set = { notice_at: null };
  const endsAtBilling =
    row.end_at && row.next_billing_at && microsOf(row.end_at) <= microsOf(row.next_billing_at);
  return endsAtBilling || endsWithPeriod(row)
    ? { decision: { set, events: [], internal: true }, periods: [] }
    : { decision: { set, events: ['upcoming'] }, periods: [], notice: 'upcoming' };
}

function decidePastDue(row: Row, facts: BillingFacts, now: Micros): Step | undefined {
  const { failing, policy } = facts;
  if (failing === undefined) return undefined;
  if (failing.status !== 'failed') return waitForOutcome(row, now);
  return isReached(row.dunning_ends_at, now) ? endDunning(row, failing, policy, now) : retryStep;
}

/** Waits for a charge in flight: its outcome decides the next step. */
const waitForOutcome = ({ dunning_ends_at }: Row, now: Micros): Step => ({
  decision: {
    set: {
      next_try_at: null,
      ...(isReached(dunning_ends_at, now) && { dunning_ends_at: instantText(now + WAIT) }),
    },
    events: ['updated'],
  },
  periods: [],
});

/** Microseconds to wait for a charge in flight before it is given up. */
const WAIT = 60 * 60 * 1_000_000;

const retryStep: Step = { periods: [], tries: true };

/**
 * Applies the final action to a given-up charge. With `keep`, the charge stays unpaid and the
 * subscription continues with the current period.
 */
function endDunning(row: Row, charge: Row, policy: BillingPolicy, now: Micros): Step {
  switch (finalActionOf(charge, policy)) {
    case 'cancel': {
      const { decision, ...step } = endSubscription(row, unpaidReason(row), now);
      const events = ['updated', 'unpaid', 'cancelled'];
      return { ...step, decision: { ...decision, events }, notice: 'unpaid' };
    }
    case 'pause':
      return { ...pausedUnpaid(row, now), givesUp: 'unpaid', notice: 'unpaid' };
    case 'keep':
      return charge.billing_reason === 'change'
        ? unchangedStep(row, charge, now)
        : { ...stillUnpaid(row, now), givesUp: 'unpaid' };
  }
}

const unpaidReason = ({ current_period_end_at }: Row): EndReason =>
  current_period_end_at ? 'unpaid' : 'first_charge_unpaid';

/**
 * Pauses for lack of payment. A resumption retries the charge while its period runs. Customers need
 * another card then; the attempt count stays.
 */
function pausedUnpaid(row: Row, now: Micros): Step {
  const refusedColumns = {
    refused_method_id: row.payment_method_id ?? null,
    refused_charge_id: row.past_due_charge_id ?? null,
    all_tries_count: row.all_tries_count ?? null,
  };
  const set = {
    ...notPastDue,
    ...refusedColumns,
    last_paused_at: instantText(now),
    notice_at: null,
  };
  const events = ['updated', 'unpaid', 'paused'];
  return { decision: { trigger: 'pause', set, events }, periods: [] };
}

function stillUnpaid(row: Row, now: Micros): Step & Required<Pick<Step, 'decision'>> {
  const periods = skippedUntil(row, now, 'unpaid');
  const nextBillingAt = periods[0]?.period.end;
  const set = { ...notPastDue, ...(nextBillingAt !== undefined && billedNext(nextBillingAt, now)) };
  return { decision: { set, events: ['updated', 'unpaid'] }, periods };
}

/**
 * Reverts an unpaid change. If the change was to begin a period, the previous paid period continues
 * to its end.
 */
function unchangedStep(row: Row, charge: Row, now: Micros): Step {
  const restoredColumns = {
    ...previousPlanColumns(row, charge),
    ...(isOpening(charge) && billedNext(microsOf(row.current_period_end_at as string), now)),
  };
  const { decision, periods } = stillUnpaid({ ...row, ...restoredColumns }, now);
  const set = { ...restoredColumns, ...decision.set };
  const givesUp = isOpening(charge) ? 'undone' : 'unpaid';
  return { decision: { ...decision, set }, periods, givesUp };
}

function billStep(row: Row, { missed_periods }: BillingPolicy, now: Micros): Step {
  const freeEnd = freeUntil(row, microsOf(row.next_billing_at as string));
  if (freeEnd !== undefined) return deferStep(freeEnd, now);
  const missedPeriods = missed_periods === 'latest' ? skippedUntil(row, now, 'missed') : [];
  const billedFrom = missedPeriods[0]?.period.end ?? microsOf(row.next_billing_at as string);
  const { period, amount, prorated } = dueAt(row, billedFrom);
  const nextBilling = billedAfter(row, period.end);
  const skippedPeriods = [...missedPeriods, ...skippedTime(row, period.end, nextBilling, 'paused')];
  const { charge, credit_cents } = afterCredit(row, amount);
  const set = {
    ...billedNext(nextBilling, now),
    credit_cents: String(credit_cents),
    charges_count: String(Number(row.charges_count) + (prorated ? 0 : 1)),
  };
  if (charge === undefined) {
    const byCredit = { period, amount, skipped: 'credit' } as const;
    const decision = { set: { ...set, ...paidColumns(period, amount) }, events: ['updated'] };
    return { decision, periods: [...skippedPeriods, byCredit] };
  }
  const reason = prorated ? 'proration' : reasonOf(row);
  return {
    decision: { set, events: ['updated'] },
    periods: skippedPeriods,
    charge: { period, amount, reason, credit_used: amount - charge },
  };
}

const deferStep = (until: Micros, now: Micros): Step => ({
  decision: { set: billedNext(until, now), events: ['updated'] },
  periods: [],
});

/** Billing reason: charges are `first` until one is paid. */
const reasonOf = ({ current_period_end_at }: Row): BillingReason =>
  current_period_end_at ? 'renewal' : 'first';

/** Columns of a paid period with this value in minor units. */
export const paidColumns = ({ start, end }: Period, amount: number): Row => ({
  current_period_start_at: instantText(start),
  current_period_end_at: instantText(end),
  period_amount_cents: String(amount),
});

/**
 * Amount to charge, and credit after the charge. Amounts too small to charge are owed with the next
 * charge.
 */
export function afterCredit(
  row: Row,
  amount: number,
): { readonly charge: number | undefined; readonly credit_cents: number } {
  const amountDue = amount - Number(row.credit_cents ?? 0);
  return amountDue >= chargeMin(row.amount_currency as string)
    ? { charge: amountDue, credit_cents: 0 }
    : { charge: undefined, credit_cents: -amountDue };
}
