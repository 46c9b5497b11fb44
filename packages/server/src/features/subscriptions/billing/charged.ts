import { DUNNING_TRIES_MAX } from '@florin/contract/dunning.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../../platform/time/clock.ts';
import { withoutUsedCryptogram, withoutUsedProof } from '../../payments/columns.ts';
import type { Decision } from '../../records/updater.ts';
import { noPreviousPlan } from '../previous-plan.ts';
import { billedNext, scheduleOf, upcomingBilling } from './billing.ts';
import { paidColumns } from './cycle.ts';
import { type BillingPolicy, givenUpAt, notPastDue, pastDue } from './dunning.ts';
import { isLaterDay, nextBillingTime, periodUntil, type Schedule } from './schedule.ts';
import { isSameInstant, priceOf } from './tally.ts';

type DunningLength = Pick<BillingPolicy, 'dunning_days'>;

/** Decides the effect of a charge's new state on its subscription. */
export function decideCharged(row: Row, charge: Row, policy: DunningLength, now: Micros): Decision {
  const chargeColumns = chargeColumnsOf(row, charge);
  switch (charge.status) {
    case 'failed':
      return onFailed(row, charge, chargeColumns, policy, now);
    case 'succeeded':
      return onSettled(row, charge, { ...chargeColumns, ...paidColumnsOf(row, now) }, now);
    // `canceled`: credit has paid the charge.
    case 'canceled':
      return onSettled(row, charge, { ...chargeColumns, failure_reason: null }, now);
    default:
      return {
        set: { ...chargeColumns, ...(row.next_try_at && { next_try_at: null }) },
        events: ['updated'],
      };
  }
}

/** Columns of a subscription whose charge was paid. */
const paidColumnsOf = (row: Row, now: Micros): Row => ({
  last_processed_at: instantText(now),
  ...withoutUsedCryptogram(row),
});

/** Columns that record the last charge, and end the wait for its outcome. */
const chargeColumnsOf = (row: Row, charge: Row): Row => ({
  failure_reason: charge.failure_reason ?? null,
  cvc2_check: charge.cvc2_check as string,
  address_line1_verification: charge.address_line1_verification as string,
  postal_code_verification: charge.postal_code_verification as string,
  ...withoutUsedProof(row),
  ...(row.put_aside_until && { put_aside_until: null }),
});

/** Effect of a paid charge: its period is paid, and a pending subscription becomes active. */
function onSettled(row: Row, charge: Row, chargeColumns: Row, now: Micros): Decision {
  const isRecovery = row.past_due_charge_id === charge.id && (row.past_due_since ?? null) !== null;
  const isPending = row.status === 'pending';
  return {
    ...(isPending && { trigger: 'activate' }),
    set: {
      ...chargeColumns,
      ...((isRecovery || isPending) && notPastDue),
      ...(charge.billing_reason === 'change' && noPreviousPlan),
      ...(isPending && { last_active_at: instantText(now) }),
      ...(row.status !== 'cancelled' && paidPeriod(row, charge, now)),
    },
    events: isRecovery ? ['updated', 'recovered'] : ['updated'],
  };
}

/**
 * Effect of a failed charge. An active subscription retries the charge; a pending one waits for its
 * customer. Both do so for the merchant's dunning days.
 */
function onFailed(
  row: Row,
  charge: Row,
  chargeColumns: Row,
  policy: DunningLength,
  now: Micros,
): Decision {
  if (row.status === 'cancelled') return { set: chargeColumns, events: ['updated'] };
  if (row.status === 'pending') {
    return {
      set: { ...chargeColumns, dunning_ends_at: givenUpAt(row, policy, now) },
      events: ['updated'],
    };
  }
  const isOtherCard = charge.payment_method_id !== row.payment_method_id;
  const pastDueColumns = pastDue(row, charge, policy, now);
  return {
    set: {
      ...chargeColumns,
      ...pastDueColumns,
      ...(isOtherCard && retriedNow(pastDueColumns, now)),
    },
    events: row.past_due_since ? ['updated'] : ['updated', 'past_due'],
  };
}

/** Columns for an immediate retry, if a failing subscription gets another card. */
export const retriedSooner = (row: Row, { payment_method_id }: Row, now: Micros): Row =>
  row.past_due_since && payment_method_id && payment_method_id !== row.payment_method_id
    ? retriedNow(row, now)
    : {};

/**
 * Columns for an immediate retry with another card and a new attempt count; none at the limit of
 * attempts with all cards.
 */
const retriedNow = ({ all_tries_count }: Row, now: Micros): Row =>
  Number(all_tries_count) < DUNNING_TRIES_MAX
    ? { next_try_at: instantText(now), tries_count: '0' }
    : {};

/**
 * Period that a charge paid. A charge made before the anchor pays for the time until the anchor,
 * and the first full period stays due. Other charges pay until the next billing time.
 */
function paidPeriod(row: Row, charge: Row, now: Micros): Row {
  if (charge.billing_reason === 'change') return changedPeriod(row, charge);
  const schedule = scheduleOf(row);
  const createdAt = microsOf(charge.created_at as string);
  if (isLaterDay(schedule, createdAt)) {
    const lateColumns = row.status === 'pending' ? lateBilling(row, schedule, now) : {};
    return { ...paidUntilAnchor(row, schedule, charge), ...lateColumns };
  }
  if (row.status !== 'pending') return laterPeriod(row, charge, priceOf(charge));
  const { start, end } = periodUntil(schedule, upcomingBilling(row, now), now);
  return { ...paidColumns({ start, end }, priceOf(charge)), ...billedNext(end, now) };
}

/** Next billing after a late first payment: skips the unpaid periods and bills the current one. */
function lateBilling({ next_billing_at }: Row, schedule: Schedule, now: Micros): Row {
  if (!next_billing_at || now < schedule.anchor) return {};
  const { start } = periodUntil(schedule, nextBillingTime(schedule, now), now);
  return start > microsOf(next_billing_at) ? billedNext(start, now) : {};
}

/**
 * Period of a paid renewal or change, as set when the charge was made. Ignored if a later period is
 * already paid.
 */
function laterPeriod({ current_period_start_at }: Row, charge: Row, worthCents: number): Row {
  const { period_start_at, period_end_at } = charge;
  if (!period_end_at || !period_start_at) return {};
  const currentStart = current_period_start_at ? microsOf(current_period_start_at) : 0;
  return currentStart >= microsOf(period_start_at)
    ? {}
    : paidColumns({ start: microsOf(period_start_at), end: microsOf(period_end_at) }, worthCents);
}

/**
 * Period after a paid change: the current period with its new value, or a new period, whose value
 * is the charge plus the unused time.
 */
function changedPeriod(row: Row, charge: Row): Row {
  const worthCents = Number(charge.period_worth_cents ?? priceOf(charge));
  const isCurrent =
    isSameInstant(row.current_period_start_at, charge.period_start_at) &&
    isSameInstant(row.current_period_end_at, charge.period_end_at);
  return isCurrent
    ? { period_amount_cents: String(worthCents) }
    : laterPeriod(row, charge, worthCents);
}

/** Period before the anchor. Ignored if a later period is already paid. */
function paidUntilAnchor({ current_period_end_at }: Row, { anchor }: Schedule, charge: Row): Row {
  if (current_period_end_at && microsOf(current_period_end_at) >= anchor) return {};
  const createdAt = microsOf(charge.created_at as string);
  return paidColumns({ start: createdAt, end: anchor }, priceOf(charge));
}
