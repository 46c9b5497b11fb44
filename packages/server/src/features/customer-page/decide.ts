import type { CustomerRight } from '@florin/contract/customer-rights.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import { endOf } from '../subscriptions/billing/cycle.ts';
import { allowedActions, isConfirmed } from '../subscriptions/decide.ts';

/** What a customer can ask for on the page. */
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

/** What a customer may do is a matter of. */
export interface Circumstances {
  readonly subscription: Row;
  /** What the merchant lets customers do. */
  readonly rights: Rights;
  /** Whether it has another card than the one whose charge was given up. */
  readonly has_other_card: boolean;
  readonly now: Micros;
}

const isAhead = (at: string | null | undefined, now: Micros): boolean =>
  Boolean(at) && microsOf(at as string) > now;

/** Whether it is to end with the period that is paid for. */
const isEnding = (row: Row): boolean => isTrue(row.canceled_at_period_end);

/** Whether there is a period whose end it can be cancelled with: none is paid for while a charge keeps failing. */
const hasPeriod = (row: Row, now: Micros): boolean =>
  (row.status === 'active' || row.status === 'paused') && owesNothing(row, now);

const owesNothing = ({ past_due_since, next_billing_at }: Row, now: Micros): boolean =>
  (past_due_since ?? null) === null && isAhead(next_billing_at, now);

const endsCharges = (rights: Rights): boolean => rights.has('cancel') || rights.has('cancel_now');

/** Whether the merchant lets its customers do this, in whatever state the subscription may be. */
export function hasRight(action: CustomerAction, given: Circumstances): boolean {
  const { subscription: row, rights, now } = given;
  switch (action) {
    case 'cancel_later':
      return endsCharges(rights);
    // What the merchant has cancelled is not the customer's to take back.
    case 'keep':
      return endsCharges(rights) && !(isEnding(row) && row.cancel_asked_by !== 'customer');
    // What has no paid period can be cancelled at once only.
    case 'cancel_now':
      return rights.has('cancel_now') || (rights.has('cancel') && !hasPeriod(row, now));
    // A pause would put off what is owed.
    case 'pause':
      return rights.has('pause') && owesNothing(row, now);
    // Whoever may give another card for a charge that was given up may go on with it.
    case 'resume':
      return rights.has('pause') || (rights.has('change_card') && given.has_other_card);
    case 'change_card':
      return rights.has('change_card');
  }
}

/** What is offered to the customer now. */
export function offeredActions(given: Circumstances): ReadonlySet<CustomerAction> {
  const { subscription: row, now } = given;
  if (!isConfirmed(row)) return new Set();
  const possible = new Set(allowedActions(row));
  const isPossible: Readonly<Record<CustomerAction, boolean>> = {
    cancel_later: possible.has('cancel') && hasPeriod(row, now) && !isEnding(row),
    cancel_now: possible.has('cancel'),
    keep: possible.has('update') && isEnding(row),
    pause: possible.has('pause'),
    resume: possible.has('resume'),
    change_card: row.status !== 'cancelled',
  };
  return new Set(customerActions.filter((action) => isPossible[action] && hasRight(action, given)));
}

/** How a subscription stands, in a customer's terms; `at` is when that changes, or has changed. */
export interface Standing {
  readonly kind: 'active' | 'trial' | 'pending' | 'failed' | 'paused' | 'ending' | 'cancelled';
  readonly at?: Micros;
}

/** What there is to say of it; the first counts most, and there is always one. */
export function standingsOf(row: Row, now: Micros): [Standing, ...Standing[]] {
  const at = (column: string): Pick<Standing, 'at'> =>
    row[column] ? { at: microsOf(row[column]) } : {};
  if (row.status === 'cancelled') return [{ kind: 'cancelled', ...at('canceled_at') }];
  const ends = endOf(row);
  const ending: Standing[] = ends === undefined ? [] : [{ kind: 'ending', at: ends }];
  if (row.past_due_since) return [{ kind: 'failed', ...at('next_try_at') }, ...ending];
  if (row.status === 'pending') return [{ kind: row.failure_reason ? 'failed' : 'pending' }];
  if (row.status === 'paused') return [{ kind: 'paused' }, ...ending];
  if (isAhead(row.trial_end_at, now)) return [{ kind: 'trial', ...at('trial_end_at') }, ...ending];
  return [ending[0] ?? { kind: 'active' }];
}

/** When it is charged next; undefined where it is not, as far as is known. */
export function nextChargeAt(row: Row): Micros | undefined {
  if (row.status !== 'active' || row.past_due_since || !row.next_billing_at) return undefined;
  const at = microsOf(row.next_billing_at);
  const ends = endOf(row);
  return ends !== undefined && ends <= at ? undefined : at;
}
