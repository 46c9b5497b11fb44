import {
  type PaymentSubscriptionState,
  paymentSubscriptionActions,
} from '@florin/contract/machines/payment-subscription.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Decision } from '../records/updater.ts';
import { type RecordState, wrongState } from '../records/wrong-state.ts';
import {
  billedNext,
  billingAfter,
  firstCharge,
  paidFrom,
  requireNotOver,
  requireOnePeriod,
} from './billing/billing.ts';
import { cancelledSet } from './billing/cycle.ts';

/** Whether a subscription is confirmed, and no intent any more. */
export const isConfirmed = ({ confirmed }: Row): boolean =>
  confirmed === 't' || confirmed === 'true';

/** Whether the last charge failed and can be retried. */
const isRetryable = ({ status, failure_reason }: Row): boolean =>
  (status === 'pending' || status === 'active') && (failure_reason ?? null) !== null;

/** Actions that clients can use now. */
export function allowedSubscriptionActions(row: Row): string[] {
  const actions = paymentSubscriptionActions[row.status as PaymentSubscriptionState];
  const isConfirmable = !isConfirmed(row) || isRetryable(row);
  const isPausable = !hasUnbilledPeriodBeforeActivation(row);
  return actions
    .filter((action) => action !== 'confirm' || isConfirmable)
    .filter((action) => action !== 'pause' || isPausable);
}

/**
 * Whether a period before the last activation is unbilled. Another pause would waive its amount.
 */
const hasUnbilledPeriodBeforeActivation = ({
  status,
  next_billing_at,
  last_active_at,
}: Row): boolean =>
  status === 'active' &&
  Boolean(next_billing_at && last_active_at) &&
  microsOf(next_billing_at as string) < microsOf(last_active_at as string);

/** Whether a subscription accepts a card: an intent, or a subscription whose last charge failed. */
export const acceptsCard = (row: Row): boolean =>
  allowedSubscriptionActions(row).includes('confirm');

export const recordStateOf = (row: Row): RecordState => ({
  noun: 'payment subscription',
  state: row.status as string,
  actions: allowedSubscriptionActions(row),
});

/** Throws 405 unless the subscription accepts the action now. */
export function requireAction(row: Row, action: string): void {
  if (!allowedSubscriptionActions(row).includes(action))
    throw wrongState(recordStateOf(row), action);
}

/**
 * Throws 405 unless the subscription is an intent that can be confirmed. A concurrent request may
 * have confirmed it.
 */
export function requireIntent(row: Row): void {
  requireAction(row, 'confirm');
  if (isConfirmed(row)) throw wrongState(recordStateOf(row), 'confirm');
}

/** Throws 405 for cancelled and paused subscriptions, which cannot be charged. */
export function requireBilling(row: Row): void {
  if (row.status === 'cancelled' || row.status === 'paused') {
    throw wrongState(recordStateOf(row), 'confirm');
  }
}

/**
 * Confirms a complete intent. With `isImmediate`, or if no charge is due yet, the subscription is active immediately;
 * otherwise the first charge activates it. Throws 422 if the anchor is too late for a proration.
 */
export function decideConfirm(row: Row, now: Micros, isImmediate: boolean): Decision {
  const from = paidFrom(row, now);
  const billing_cycle_anchor_at = row.billing_cycle_anchor_at ?? instantText(from);
  const confirmedRow: Row = { ...row, billing_cycle_anchor_at, confirmed: 'true' };
  requireOnePeriod(confirmedRow, from);
  requireNotOver(row, now);
  const isActive = isImmediate || firstCharge(confirmedRow, now) === undefined;
  return {
    ...(isActive && { trigger: 'activate' }),
    set: {
      confirmed: 'true',
      billing_cycle_anchor_at,
      ...billedNext(billingAfter(confirmedRow, now), now),
      charges_count: firstCharge(confirmedRow, now)?.prorated === false ? '1' : '0',
      ...(isActive && { last_active_at: instantText(now) }),
    },
    events: isImmediate ? ['created'] : ['created', 'updated'],
  };
}

/**
 * Pauses a subscription. Throws 405 also while an amount from before its last pause is unbilled.
 */
export function decidePause(row: Row, now: Micros): Decision {
  if (hasUnbilledPeriodBeforeActivation(row)) {
    const hint =
      'A charge from before the last pause is not billed yet. Pause the subscription after it is billed.';
    throw wrongState(recordStateOf(row), 'pause', hint);
  }
  requireAction(row, 'pause');
  const set = { last_paused_at: instantText(now) };
  return { trigger: 'pause', set, events: ['updated', 'paused'] };
}

/**
 * Resumes a subscription. The rest of the current period is charged unless it is paid. A given-up
 * charge is retried while its period runs.
 */
export function decideResume(row: Row, now: Micros): Decision {
  requireAction(row, 'resume');
  const owedColumns = owedAgain(row, now);
  const set = {
    last_active_at: instantText(now),
    ...billedNext(resumedAt(row, now), now),
    refused_method_id: null,
    refused_charge_id: null,
    ...(!row.past_due_since && { all_tries_count: null }),
    ...owedColumns,
    ...((owedColumns ?? row).past_due_since && retriedOnce(row, now)),
  };
  const events = ['updated', 'resumed', ...(owedColumns ? ['past_due'] : [])];
  return { trigger: 'resume', set, events };
}

/**
 * Columns that make a given-up charge past due again while its period runs; undefined afterwards,
 * because later periods are billed automatically.
 */
const owedAgain = (
  { refused_charge_id, next_billing_at, all_tries_count }: Row,
  now: Micros,
): Row | undefined =>
  refused_charge_id && next_billing_at && microsOf(next_billing_at) > now
    ? {
        past_due_since: instantText(now),
        past_due_charge_id: refused_charge_id,
        tries_count: '0',
        all_tries_count: all_tries_count ?? '0',
      }
    : undefined;

/** Next billing time: now if the planned time fell into the pause, otherwise the planned time. */
function resumedAt(row: Row, now: Micros): Micros {
  const planned = microsOf(row.next_billing_at as string);
  return planned > now || isOwedFromBefore(row, planned) ? planned : now;
}

/**
 * Whether the billing time was due before the pause and had to wait for an unpaid earlier charge.
 * Given-up charges, and amounts that an earlier pause waived, are not billed.
 */
const isOwedFromBefore = (
  { last_paused_at, last_active_at, refused_charge_id }: Row,
  plannedAt: Micros,
): boolean =>
  !refused_charge_id &&
  plannedAt <= microsOf(last_paused_at as string) &&
  (!last_active_at || plannedAt >= microsOf(last_active_at));

/**
 * A charge that failed before the pause is retried immediately, and given up a day later at the
 * earliest.
 */
const retriedOnce = ({ dunning_ends_at }: Row, now: Micros): Row => {
  const earliestEnd = now + DAY;
  const dunningEnd = dunning_ends_at
    ? Math.max(microsOf(dunning_ends_at), earliestEnd)
    : earliestEnd;
  return { next_try_at: instantText(now), dunning_ends_at: instantText(dunningEnd) };
};

const DAY = seconds(24 * 60 * 60);

/** Ends a subscription. An intent has emitted no event yet, so its end emits none. */
export function decideCancel(
  row: Row,
  now: Micros,
  asked_by: 'merchant' | 'customer' = 'merchant',
): Decision {
  requireAction(row, 'cancel');
  return {
    trigger: 'cancel',
    set: cancelledSet(asked_by, now),
    events: isConfirmed(row) ? ['updated', 'cancelled'] : [],
  };
}
