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
const active: Row = {
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
const step = (change: Row, day: string, isCharging = false) =>
  decideStep({ ...active, ...change }, { policy, isCharging }, microsOf(at(day)));
const skipped = (start: string, end: string, amount: number, why: string) => ({
  period: { start: microsOf(at(start)), end: microsOf(at(end)) },
  amount,
  skipped: why,
});

describe('a subscription whose first charge was never paid', () => {
  const pending = { status: 'pending', dunning_ends_at: at('01-15'), next_billing_at: at('01-08') };
  it('ends at its deadline, and not before', () => {
    expect(step(pending, '01-14')).toBeUndefined();
    expect(step(pending, '01-15')?.decision).toMatchObject({
      trigger: 'cancel',
      set: { end_reason: 'first_charge_unpaid', dunning_ends_at: null },
      events: ['updated', 'unpaid', 'cancelled'],
    });
  });
  it('waits while that charge is in progress again: it may still be approved', () => {
    expect(step(pending, '01-20', true)?.decision).toMatchObject({ unseen: true, events: [] });
  });
});

describe('a merchant that may not charge', () => {
  const heldAt = (change: Row, day: string) => {
    const row = { ...active, ...change };
    const due = step(change, day);
    return due && blockedStep(row, due, microsOf(at(day))).decision;
  };
  it('defers a subscription with an unpaid first charge, as it could not be paid', () => {
    const pending = { status: 'pending', dunning_ends_at: at('01-15') };
    const decision = heldAt(pending, '01-15');
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
  const trial = {
    trial_end_at: at('01-12'),
    next_billing_at: at('01-12'),
    current_period_end_at: null,
  };
  it('is charged at the next period without prorations', () => {
    const none = step({ ...trial, proration_behavior: 'none' }, '01-12');
    expect(none?.charge).toBeUndefined();
    expect(none?.decision?.set).toMatchObject({ next_billing_at: at('01-15') });
    const ahead = { ...trial, billing_cycle_anchor_at: '2027-01-12T18:00:00.000000Z' };
    expect(
      step({ ...ahead, proration_behavior: 'none' }, '01-12')?.decision?.set.next_billing_at,
    ).toBe(ahead.billing_cycle_anchor_at);
  });
  it('is charged its share with prorations, and in full if a period begins', () => {
    const prorated = { ...trial, proration_behavior: 'create_prorations' };
    expect(step(prorated, '01-12')?.charge).toMatchObject({ amount: 1200, reason: 'proration' });
    const whole = { trial_end_at: at('01-08'), current_period_end_at: null };
    expect(step({ ...whole, proration_behavior: 'none' }, '01-08')?.charge).toMatchObject({
      amount: 2800,
      reason: 'first',
    });
  });
});

describe('after a pause, a subscription is billed', () => {
  const resumed = { last_paused_at: at('01-09'), last_active_at: at('01-25') };
  it('for the time before the pause, and then for the rest of the running period', () => {
    expect(step(resumed, '01-25')).toMatchObject({
      charge: { amount: 1600, period: { end: microsOf(at('01-29')) } },
      periods: [skipped('01-08', '01-25', 6800, 'missed')],
    });
    const each = { ...policy, missed_periods: 'each' } as const;
    const given = { policy: each, isCharging: false };
    expect(decideStep({ ...active, ...resumed }, given, microsOf(at('01-25')))).toMatchObject({
      charge: { amount: 2800, reason: 'renewal', period: { end: microsOf(at('01-15')) } },
      decision: { set: { next_billing_at: at('01-25') } },
      periods: [skipped('01-15', '01-25', 4000, 'paused')],
    });
  });
  it('for the next period if the other one is over', () => {
    const earlier = { last_paused_at: at('01-02'), last_active_at: at('01-08') };
    expect(step(earlier, '01-08')).toMatchObject({ charge: { amount: 2800 }, periods: [] });
  });
});

describe('the rest after credit', () => {
  const exponents = new Map([...currencyNumbers.keys()].map((code) => [code, exponentOf(code)]));
  const least = { 0: 10, 2: 10, 3: 100 } as const;

  it.each([...exponents])(
    'in %s, with %i digits, is charged from the smallest payment on',
    (code, digits) => {
      const min = least[digits as keyof typeof least];
      const row = { amount_currency: code, credit_cents: '1000' };
      expect(afterCredit(row, 1000 + min)).toEqual({ charge: min, credit_cents: 0 });
      expect(afterCredit(row, 999 + min)).toEqual({ charge: undefined, credit_cents: 1 - min });
    },
  );

  it.each(['USD', 'JPY', 'KWD'])(
    'of a trial that ends with a period in %s can be charged',
    (code) => {
      const trial = { ...active, amount_currency: code, trial_end_at: at('01-07') };
      const row = { ...trial, amount_cents: '100', proration_behavior: 'create_prorations' };
      expect(dueAt(row, microsOf(at('01-07'))).amount).toBe(
        platformLimits(code).min_cents > 14 ? 100 : 14,
      );
    },
  );
});
