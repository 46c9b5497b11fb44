import { currencyNumbers } from '@florin/contract/currencies.ts';
import { exponentOf } from '@florin/contract/money.ts';
import { platformLimits } from '@florin/contract/risk/amounts.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { microsOf } from '../../../platform/time/clock.ts';
import { blockedStep } from '../blocked.ts';
import { dueAt } from './billing.ts';
import { afterCredit, decideStep } from './cycle.ts';
import type { BillingPolicy } from './dunning.ts';

const at = (day: string): string => `2027-${day}T10:00:00.000000Z`;
const policy: BillingPolicy = {
  dunning_days: 14,
  dunning_final_action: 'keep',
  missed_periods: 'latest',
};
const activeRow: Row = {
  status: 'active',
  confirmed: 't',
  amount_cents: '2800',
  credit_cents: '0',
  charges_count: '1',
  billing_period: 'seven_days',
  billing_timezone: 'UTC',
  billing_cycle_anchor_at: at('01-01'),
  next_billing_at: at('01-08'),
  last_active_at: at('01-01'),
  current_period_end_at: at('01-08'),
};
const decideOn = (change: Row, day: string, isCharging = false) =>
  decideStep({ ...activeRow, ...change }, { policy, isCharging }, microsOf(at(day)));
const skippedPeriod = (start: string, end: string, amount: number, skipped_reason: string) => ({
  period: { start: microsOf(at(start)), end: microsOf(at(end)) },
  amount,
  skipped: skipped_reason,
});

describe('a subscription whose first charge was never paid', () => {
  const pendingRow = {
    status: 'pending',
    dunning_ends_at: at('01-15'),
    next_billing_at: at('01-08'),
  };
  it('ends at its deadline, and not before', () => {
    expect(decideOn(pendingRow, '01-14')).toBeUndefined();
    expect(decideOn(pendingRow, '01-15')?.decision).toMatchObject({
      trigger: 'cancel',
      set: { end_reason: 'first_charge_unpaid', dunning_ends_at: null },
      events: ['updated', 'unpaid', 'cancelled'],
    });
  });
  it('waits while that charge is in progress again: it may still be approved', () => {
    expect(decideOn(pendingRow, '01-20', true)?.decision).toMatchObject({
      internal: true,
      events: [],
    });
  });
});

describe('a merchant that may not charge', () => {
  const heldAt = (change: Row, day: string) => {
    const row = { ...activeRow, ...change };
    const dueStep = decideOn(change, day);
    return dueStep && blockedStep(row, dueStep, microsOf(at(day))).decision;
  };
  it('defers a subscription with an unpaid first charge, as it could not be paid', () => {
    const pendingRow = { status: 'pending', dunning_ends_at: at('01-15') };
    const decision = heldAt(pendingRow, '01-15');
    expect([decision?.trigger, decision?.set]).toEqual([
      undefined,
      {
        put_aside_until: '2027-01-15T11:00:00.000000Z',
        dunning_ends_at: '2027-01-16T11:00:00.000000Z',
      },
    ]);
  });
  it('ends other subscriptions in time', () => {
    expect(heldAt({ end_at: at('01-05') }, '01-05')?.trigger).toBe('cancel');
  });
});

describe('a trial that ends within a period', () => {
  const trialRow = {
    trial_end_at: at('01-12'),
    next_billing_at: at('01-12'),
    current_period_end_at: null,
  };
  it('is charged at the next period without prorations', () => {
    const unproratedStep = decideOn({ ...trialRow, proration_behavior: 'none' }, '01-12');
    expect(unproratedStep?.charge).toBeUndefined();
    expect(unproratedStep?.decision?.set).toMatchObject({ next_billing_at: at('01-15') });
    const rowWithLaterAnchor = {
      ...trialRow,
      billing_cycle_anchor_at: '2027-01-12T18:00:00.000000Z',
    };
    expect(
      decideOn({ ...rowWithLaterAnchor, proration_behavior: 'none' }, '01-12')?.decision?.set
        .next_billing_at,
    ).toBe(rowWithLaterAnchor.billing_cycle_anchor_at);
  });
  it('is charged its share with prorations, and in full if a period begins', () => {
    const proratedTrial = { ...trialRow, proration_behavior: 'create_prorations' };
    expect(decideOn(proratedTrial, '01-12')?.charge).toMatchObject({
      amount: 1200,
      reason: 'proration',
    });
    const fullPeriodRow = { trial_end_at: at('01-08'), current_period_end_at: null };
    expect(
      decideOn({ ...fullPeriodRow, proration_behavior: 'none' }, '01-08')?.charge,
    ).toMatchObject({
      amount: 2800,
      reason: 'first',
    });
  });
});

describe('a charge that is given up', () => {
  const overdueRow: Row = {
    past_due_since: at('01-08'),
    past_due_charge_id: 'a charge',
    dunning_ends_at: at('01-22'),
    next_billing_at: at('01-15'),
  };
  const failingCharge: Row = { id: 'a charge', status: 'failed', billing_reason: 'renewal' };
  const stepOf = (
    row: Row,
    charge: Row,
    action: BillingPolicy['dunning_final_action'],
    day: string,
  ) =>
    decideStep(
      { ...activeRow, ...overdueRow, ...row },
      { policy: { ...policy, dunning_final_action: action }, failing: charge, isCharging: false },
      microsOf(at(day)),
    );

  it.each(['cancel', 'pause', 'keep'] as const)('is retried until its deadline: %s', (action) => {
    expect(stepOf({}, failingCharge, action, '01-21')).toEqual({ periods: [], tries: true });
  });

  it('is not given up while it is sent again', () => {
    const step = stepOf({}, { ...failingCharge, status: 'processing' }, 'cancel', '01-22');
    expect(step?.givesUp).toBeUndefined();
    expect(step?.decision?.set.dunning_ends_at).toBe('2027-01-22T11:00:00.000000Z');
  });

  it.each([
    ['cancel', {}, 'cancel', { end_reason: 'unpaid', next_billing_at: null }, ['cancelled']],
    [
      'cancel',
      { current_period_end_at: null },
      'cancel',
      { end_reason: 'first_charge_unpaid' },
      ['cancelled'],
    ],
    ['pause', {}, 'pause', { refused_charge_id: 'a charge', past_due_since: null }, ['paused']],
  ] as const)('ends as the merchant configured: %s %o', (action, row, trigger, set, events) => {
    expect(stepOf(row, failingCharge, action, '01-22')).toMatchObject({
      decision: { trigger, set, events: ['updated', 'unpaid', ...events] },
      givesUp: 'unpaid',
      notice: 'unpaid',
    });
  });

  it('with the final action keep leaves all periods unpaid that are over', () => {
    const step = stepOf({}, failingCharge, 'keep', '01-23');
    expect(step).toMatchObject({
      decision: { set: { past_due_since: null, next_billing_at: at('01-22') } },
      periods: [skippedPeriod('01-15', '01-22', 2800, 'unpaid')],
      givesUp: 'unpaid',
    });
    expect(step?.decision?.events).toEqual(['updated', 'unpaid']);
    expect(step?.decision?.trigger).toBeUndefined();
  });

  it.each<[string, Row, Row]>([
    [
      'reverts price and period',
      {
        prior_amount_cents: '2800',
        prior_billing_period: 'seven_days',
        prior_anchor_at: at('01-01'),
      },
      {
        amount_cents: '2800',
        billing_period: 'seven_days',
        billing_cycle_anchor_at: at('01-01'),
        next_billing_at: at('01-22'),
      },
    ],
    [
      'keeps a price that was set since',
      {
        prior_amount_cents: null,
        prior_billing_period: 'seven_days',
        prior_anchor_at: at('01-01'),
      },
      { amount_cents: '30000', billing_period: 'seven_days' },
    ],
    [
      'from before previous plans were stored is billed in full after the paid period',
      { prior_amount_cents: null, prior_billing_period: null, prior_anchor_at: null },
      {
        amount_cents: '30000',
        billing_period: 'twelve_months',
        billing_cycle_anchor_at: at('01-22'),
        next_billing_at: at('01-22'),
      },
    ],
  ])('of a change with the final action cancel %s', (_title, previousPlan, set) => {
    const yearly = { amount_cents: '30000', billing_period: 'twelve_months' };
    const openingCharge = {
      billing_reason: 'change',
      created_at: at('01-08'),
      period_start_at: at('01-08'),
    };
    const row = { ...yearly, ...previousPlan, current_period_end_at: at('01-22') };
    const step = stepOf(row, { ...failingCharge, ...openingCharge }, 'cancel', '01-22');
    expect(step).toMatchObject({ decision: { set }, periods: [], givesUp: 'undone' });
    expect(step?.decision?.trigger).toBeUndefined();
  });
});

describe('a subscription ends', () => {
  it.each<[string, Row, string, string]>([
    ['at its set time', { end_at: at('01-05') }, '01-05', 'end_at'],
    ['at its set time while paused', { status: 'paused', end_at: at('01-05') }, '01-05', 'end_at'],
    ['after its last full period', { charges_max: '1' }, '01-08', 'charges_max'],
    ['with its period', { canceled_at_period_end: 't' }, '01-08', 'merchant'],
    [
      "with its period at the customer's request",
      { canceled_at_period_end: 't', cancel_asked_by: 'customer' },
      '01-08',
      'customer',
    ],
  ])('%s, and not before', (_when, change, day, end_reason) => {
    const justBefore = `2027-${day}T09:59:59.999999Z`;
    const facts = { policy, isCharging: false };
    const earlierStep = decideStep({ ...activeRow, ...change }, facts, microsOf(justBefore));
    expect(earlierStep?.decision?.trigger).toBeUndefined();
    expect(decideOn(change, day)?.decision).toMatchObject({
      trigger: 'cancel',
      set: { end_reason },
      events: ['updated', 'cancelled'],
    });
  });
});

describe('after missed periods, a subscription is billed', () => {
  it('for the last one only, or for each in turn, as the merchant configured', () => {
    expect(decideOn({}, '01-30')).toMatchObject({
      charge: { amount: 2800, reason: 'renewal', period: { start: microsOf(at('01-29')) } },
      decision: { set: { next_billing_at: at('02-05') } },
      periods: [skippedPeriod('01-08', '01-29', 8400, 'missed')],
    });
    const factsWithEach = {
      policy: { ...policy, missed_periods: 'each' } as const,
      isCharging: false,
    };
    expect(decideStep(activeRow, factsWithEach, microsOf(at('01-30')))).toMatchObject({
      charge: { amount: 2800, period: { start: microsOf(at('01-08')) } },
      decision: { set: { next_billing_at: at('01-15') } },
      periods: [],
    });
  });
});

describe('after a pause, a subscription is billed', () => {
  const resumedColumns = { last_paused_at: at('01-09'), last_active_at: at('01-25') };
  it('for the time before the pause, and then for the rest of the running period', () => {
    expect(decideOn(resumedColumns, '01-25')).toMatchObject({
      charge: { amount: 1600, period: { end: microsOf(at('01-29')) } },
      periods: [skippedPeriod('01-08', '01-25', 6800, 'missed')],
    });
    const eachPolicy = { ...policy, missed_periods: 'each' } as const;
    const facts = { policy: eachPolicy, isCharging: false };
    expect(
      decideStep({ ...activeRow, ...resumedColumns }, facts, microsOf(at('01-25'))),
    ).toMatchObject({
      charge: { amount: 2800, reason: 'renewal', period: { end: microsOf(at('01-15')) } },
      decision: { set: { next_billing_at: at('01-25') } },
      periods: [skippedPeriod('01-15', '01-25', 4000, 'paused')],
    });
  });
  it('for the next period if the other one is over', () => {
    const earlierColumns = { last_paused_at: at('01-02'), last_active_at: at('01-08') };
    expect(decideOn(earlierColumns, '01-08')).toMatchObject({
      charge: { amount: 2800 },
      periods: [],
    });
  });
});

describe('the rest after credit', () => {
  const exponents = new Map([...currencyNumbers.keys()].map((code) => [code, exponentOf(code)]));
  const minimumByDigits = { 0: 10, 2: 10, 3: 100 } as const;

  it.each([...exponents])(
    'in %s, with %i digits, is charged from the smallest payment on',
    (code, digits) => {
      const min = minimumByDigits[digits as keyof typeof minimumByDigits];
      const row = { amount_currency: code, credit_cents: '1000' };
      expect(afterCredit(row, 1000 + min)).toEqual({ charge: min, credit_cents: 0 });
      expect(afterCredit(row, 999 + min)).toEqual({ charge: undefined, credit_cents: 1 - min });
    },
  );

  it.each(['USD', 'JPY', 'KWD'])(
    'of a trial that ends with a period in %s can be charged',
    (code) => {
      const trialRow = { ...activeRow, amount_currency: code, trial_end_at: at('01-07') };
      const row = { ...trialRow, amount_cents: '100', proration_behavior: 'create_prorations' };
      expect(dueAt(row, microsOf(at('01-07'))).amount).toBe(
        platformLimits(code).min_cents > 14 ? 100 : 14,
      );
    },
  );
});
