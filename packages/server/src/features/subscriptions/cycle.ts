import type { SkipReason } from '@florin/contract/resources/subscription-periods.ts';
import { instantText, type Micros, microsOf } from '../../kernel/clock.ts';
import { isTrue, type Row } from '../../store/row.ts';
import type { Change } from '../../store/transition.ts';
import type { Decision } from '../records/updater.ts';
import { type Billed, billedAt, billedNext } from './billing.ts';
import type { ChargePlan } from './charge.ts';
import { type BillingPolicy, notPastDue } from './dunning.ts';
import { CHARGE_MIN, type Period } from './schedule.ts';

/** Why a subscription is told of to its payer: a charge is near, or it has ended. */
export type Occasion = 'upcoming' | 'ended';

/** A period and what it costs in minor units, and why nothing is charged for it. */
export interface SkippedPeriod {
  readonly period: Period;
  readonly amount: number;
  readonly skipped: SkipReason;
}

/** What is to be done for one subscription that is due. One step; what is due after it is another's. */
export interface Step {
  /** Absent where its charge alone is changed, which tells it. */
  readonly decision?: Decision & Pick<Change, 'unseen'>;
  /** Those that nothing is charged for. */
  readonly periods: readonly SkippedPeriod[];
  readonly charge?: ChargePlan;
  /** Whether its failed charge is to be sent again. */
  readonly tries?: true;
  /** Whether that is given up. */
  readonly givesUp?: true;
  readonly occasion?: Occasion;
}

/** What is known beside a subscription itself. */
export interface Circumstances {
  readonly policy: BillingPolicy;
  /** The state of the charge that keeps failing, where there is one and nobody else is at work on it. */
  readonly failing?: string | undefined;
  /** Whether a charge of it has no outcome yet. */
  readonly isCharging: boolean;
}

const hasCome = (at: string | null | undefined, now: Micros): boolean =>
  Boolean(at) && microsOf(at as string) <= now;

/** Decides what a subscription that is due, and locked, is due for. Undefined where it has to wait for others. */
export function decideStep(row: Row, given: Circumstances, now: Micros): Step | undefined {
  if (hasCome(row.end_at, now)) return end(now);
  if (row.past_due_since && row.status === 'active') return decidePastDue(row, given, now);
  if (isOver(row, now)) return end(now);
  if (!hasCome(row.next_billing_at, now)) return notice(row);
  return given.isCharging ? waitForCharge(now) : bill(row, given.policy, now);
}

/** The next period is billed when it is known what came of the one before; that ends the wait sooner. */
const waitForCharge = (now: Micros): Step => ({
  decision: { set: { put_aside_until: instantText(now + WAIT) }, events: [], unseen: true },
  periods: [],
});

/** Whether the next period is not to be billed. */
export const endsWithPeriod = (row: Row): boolean =>
  isTrue(row.canceled_at_period_end) ||
  (row.charges_max != null && Number(row.charges_count) >= Number(row.charges_max));

/** Whether it was to end with the period before the one that is due. */
const isOver = (row: Row, now: Micros): boolean =>
  hasCome(row.next_billing_at, now) && endsWithPeriod(row);

const end = (now: Micros): Step & Required<Pick<Step, 'decision'>> => ({
  decision: {
    trigger: 'cancel',
    set: cancelled(now),
    events: ['updated'],
  },
  periods: [],
  occasion: 'ended',
});

/** The columns of a subscription that ends. */
export const cancelled = (now: Micros): Row => ({
  ...notPastDue,
  canceled_at: instantText(now),
  next_billing_at: null,
  notice_at: null,
});

/** Nobody is told of a charge that will not be made. */
function notice(row: Row): Step {
  const set = { notice_at: null };
  const ends =
    row.end_at && row.next_billing_at && microsOf(row.end_at) <= microsOf(row.next_billing_at);
  return ends || endsWithPeriod(row)
    ? { decision: { set, events: [], unseen: true }, periods: [] }
    : { decision: { set, events: ['upcoming'] }, periods: [], occasion: 'upcoming' };
}

function decidePastDue(row: Row, given: Circumstances, now: Micros): Step | undefined {
  if (given.failing === undefined) return undefined;
  if (given.failing !== 'failed') return wait(row, now);
  return hasCome(row.dunning_ends_at, now) ? giveUp(row, given.policy, now) : tryAgain;
}

/** A charge that is under way decides for itself. */
const wait = ({ dunning_ends_at }: Row, now: Micros): Step => ({
  decision: {
    set: {
      next_try_at: null,
      ...(hasCome(dunning_ends_at, now) && { dunning_ends_at: instantText(now + WAIT) }),
    },
    events: ['updated'],
  },
  periods: [],
});

/** How long a charge that was to be given up, but is under way, is waited for. */
const WAIT = 60 * 60 * 1_000_000;

const tryAgain: Step = { periods: [], tries: true };

/** The charge that failed stays unpaid. A subscription that is kept goes on with the period that runs. */
function giveUp(row: Row, { dunning_final_action }: BillingPolicy, now: Micros): Step {
  const { decision, ...rest } = givenUp(row, dunning_final_action, now);
  const charges_count = String(Math.max(0, Number(row.charges_count) - 1));
  const set = { ...decision.set, charges_count };
  return { ...rest, decision: { ...decision, set }, givesUp: true };
}

function givenUp(
  row: Row,
  action: BillingPolicy['dunning_final_action'],
  now: Micros,
): Step & Required<Pick<Step, 'decision'>> {
  if (action === 'cancel') return end(now);
  if (action === 'pause') {
    const refused_method_id = row.payment_method_id ?? null;
    const gone = { last_paused_at: instantText(now), notice_at: null, refused_method_id };
    const set = { ...notPastDue, ...gone };
    return { decision: { trigger: 'pause', set, events: ['updated'] }, periods: [] };
  }
  const periods = skippedUntil(row, now, 'unpaid');
  const next = periods[0]?.period.end;
  const set = { ...notPastDue, ...(next !== undefined && billedNext(next, now)) };
  return { decision: { set, events: ['updated'] }, periods };
}

/** Periods of one step at most, so that a daily subscription which nothing was billed for in years does not hold up others. */
const PERIODS_MAX = 4_000;

/** The periods due that end by a time, which nothing is charged for: as one. */
export function skippedUntil(row: Row, limit: Micros, skipped: SkipReason): SkippedPeriod[] {
  const start = row.next_billing_at ? microsOf(row.next_billing_at) : limit;
  let [end, amount] = [start, 0];
  for (let count = 0; count < PERIODS_MAX && end < limit; count++) {
    const billed = billedAt(row, end) as Billed;
    if (billed.period.end > limit) break;
    [end, amount] = [billed.period.end, amount + billed.amount];
  }
  return end > start ? [{ period: { start, end }, amount, skipped }] : [];
}

function bill(row: Row, { missed_periods }: BillingPolicy, now: Micros): Step {
  const missed = missed_periods === 'latest' ? skippedUntil(row, now, 'missed') : [];
  const due = missed[0]?.period.end ?? microsOf(row.next_billing_at as string);
  const { period, amount, prorated } = billedAt(row, due) as Billed;
  const { charge, credit_cents } = afterCredit(row, amount);
  const set = {
    ...billedNext(period.end, now),
    credit_cents: String(credit_cents),
    charges_count: String(Number(row.charges_count) + (prorated ? 0 : 1)),
  };
  if (charge === undefined) {
    const skipped = { period, amount, skipped: 'credit' } as const;
    const decision = { set: { ...set, ...paid(period, amount) }, events: ['updated'] };
    return { decision, periods: [...missed, skipped] };
  }
  const reason = prorated ? 'proration' : 'renewal';
  return {
    decision: { set, events: ['updated'] },
    periods: missed,
    charge: { period, amount, reason, credit_used: amount - charge },
  };
}

/** The columns of a subscription whose period is paid for, and worth this in minor units. */
export const paid = ({ start, end }: Period, amount: number): Row => ({
  current_period_start_at: instantText(start),
  current_period_end_at: instantText(end),
  period_amount_cents: String(amount),
});

/** What is left to charge of an amount, and of the credit: amounts too small to be charged are owed. */
export function afterCredit(
  row: Row,
  amount: number,
): { readonly charge: number | undefined; readonly credit_cents: number } {
  const left = amount - Number(row.credit_cents);
  return left >= CHARGE_MIN
    ? { charge: left, credit_cents: 0 }
    : { charge: undefined, credit_cents: -left };
}
