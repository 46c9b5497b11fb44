import type { CustomerRight } from '@florin/contract/customer-rights.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import { endOf } from '../subscriptions/billing/cycle.ts';
import { allowedSubscriptionActions, isConfirmed } from '../subscriptions/decide.ts';

/** Actions of a customer on the page. */
export const customerActions = [
  'cancel_later',
  'cancel_now',
  'keep',
  'pause',
  'resume',
  'change_card',
] as const;
export type CustomerAction = (typeof customerActions)[number];

type Rights = ReadonlySet<CustomerRight>;

/** Facts that decide which actions a customer has. */
export interface CustomerFacts {
  readonly subscription: Row;
  /** Actions that the merchant allows its customers. */
  readonly rights: Rights;
  /**
   * Whether billing stopped after a failed charge and the subscription now has another card than
   * that charge.
   */
  readonly has_other_card: boolean;
  readonly now: Micros;
}

const isFuture = (at: string | null | undefined, now: Micros): boolean =>
  Boolean(at) && microsOf(at as string) > now;

/** Whether the subscription ends at the end of the paid period. */
const isEnding = (row: Row): boolean => isTrue(row.canceled_at_period_end);

/**
 * Whether the subscription can be cancelled at the end of its period. While a charge fails, no
 * period is paid.
 */
const hasPeriod = (row: Row, now: Micros): boolean =>
  (row.status === 'active' || row.status === 'paused') && isPaidUp(row, now);

const isPaidUp = ({ past_due_since, next_billing_at }: Row, now: Micros): boolean =>
  (past_due_since ?? null) === null && isFuture(next_billing_at, now);

const mayEndCharges = (rights: Rights): boolean => rights.has('cancel') || rights.has('cancel_now');

/** Whether the merchant allows the action, regardless of the subscription's state. */
export function hasRight(action: CustomerAction, facts: CustomerFacts): boolean {
  const { subscription: row, rights, now } = facts;
  switch (action) {
    case 'cancel_later':
      return mayEndCharges(rights);
    // The customer cannot undo a cancellation by the merchant.
    case 'keep':
      return mayEndCharges(rights) && !(isEnding(row) && row.cancel_asked_by !== 'customer');
    // Without a paid period, immediate cancellation is the only cancellation.
    case 'cancel_now':
      return rights.has('cancel_now') || (rights.has('cancel') && !hasPeriod(row, now));
    // A pause would defer an owed amount.
    case 'pause':
      return rights.has('pause') && isPaidUp(row, now);
    // A customer with another card may resume billing that stopped after failed charges.
    case 'resume':
      return rights.has('pause') || (rights.has('change_card') && facts.has_other_card);
    case 'change_card':
      return rights.has('change_card');
  }
}

/** Actions that the page offers the customer now. */
export function offeredActions(facts: CustomerFacts): ReadonlySet<CustomerAction> {
  const { subscription: row, now } = facts;
  if (!isConfirmed(row)) return new Set();
  const possibleActions = new Set(allowedSubscriptionActions(row));
  const isPossible: Readonly<Record<CustomerAction, boolean>> = {
    cancel_later: possibleActions.has('cancel') && hasPeriod(row, now) && !isEnding(row),
    cancel_now: possibleActions.has('cancel'),
    keep: possibleActions.has('update') && isEnding(row),
    pause: possibleActions.has('pause'),
    resume: possibleActions.has('resume'),
    change_card: row.status !== 'cancelled',
  };
  return new Set(customerActions.filter((action) => isPossible[action] && hasRight(action, facts)));
}

/** Status of a subscription for its customer. `at` is the time of its next or last change. */
export interface SubscriptionStatus {
  readonly kind: 'active' | 'trial' | 'pending' | 'failed' | 'paused' | 'ending' | 'cancelled';
  readonly at?: Micros;
}

/** All statuses of a subscription, the most important first. At least one. */
export function subscriptionStatusesOf(
  row: Row,
  now: Micros,
): [SubscriptionStatus, ...SubscriptionStatus[]] {
  const timeIn = (column: string): Pick<SubscriptionStatus, 'at'> =>
    row[column] ? { at: microsOf(row[column]) } : {};
  if (row.status === 'cancelled') return [{ kind: 'cancelled', ...timeIn('canceled_at') }];
  const endsAt = endOf(row);
  const endingStatuses: SubscriptionStatus[] =
    endsAt === undefined ? [] : [{ kind: 'ending', at: endsAt }];
  if (row.past_due_since) return [{ kind: 'failed', ...timeIn('next_try_at') }, ...endingStatuses];
  if (row.status === 'pending') return [{ kind: row.failure_reason ? 'failed' : 'pending' }];
  if (row.status === 'paused') return [{ kind: 'paused' }, ...endingStatuses];
  if (isFuture(row.trial_end_at, now))
    return [{ kind: 'trial', ...timeIn('trial_end_at') }, ...endingStatuses];
  return [endingStatuses[0] ?? { kind: 'active' }];
}

/** Time of the next charge. Undefined if none is planned. */
export function nextChargeAt(row: Row): Micros | undefined {
  if (row.status !== 'active' || row.past_due_since || !row.next_billing_at) return undefined;
  const at = microsOf(row.next_billing_at);
  const endsAt = endOf(row);
  return endsAt !== undefined && endsAt <= at ? undefined : at;
}
