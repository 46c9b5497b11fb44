import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { microsOf } from '../../platform/time/clock.ts';
import { decideChange, outcomeOf } from './decide.ts';

const at = (day: string): string => `${day}T00:00:00.000000Z`;
/** Subscription that paid a third of 3000 for the ten days until its anchor. */
const proratedRow: Row = {
  status: 'active',
  amount_cents: '3000',
  billing_period: 'thirty_days',
  billing_timezone: 'UTC',
  billing_cycle_anchor_at: at('2027-01-11'),
  next_billing_at: at('2027-01-11'),
  current_period_start_at: at('2027-01-01'),
  current_period_end_at: at('2027-01-11'),
  period_amount_cents: '1000',
  credit_cents: '0',
  charges_count: '0',
};
const wantedRow = (amount_cents: string): Row => ({
  amount_cents,
  proration_behavior: 'create_prorations',
});

describe('a price change in a partly paid period', () => {
  const now = microsOf(at('2027-01-06'));
  it('that is reverted costs nothing in the end', () => {
    const upgrade = decideChange(proratedRow, wantedRow('6000'), now);
    expect(upgrade.charge).toMatchObject({ amount: 500, credit_used: 0, worth: 2000 });
    const paidRow = { ...proratedRow, ...upgrade.set, period_amount_cents: '2000' };
    const downgrade = decideChange(paidRow, wantedRow('3000'), now);
    expect([downgrade.charge, downgrade.set.credit_cents]).toEqual([undefined, '500']);
  });
  it('that was given up has no value when it is reverted', () => {
    const upgrade = decideChange(proratedRow, wantedRow('6000'), now);
    const downgrade = decideChange({ ...proratedRow, ...upgrade.set }, wantedRow('3000'), now);
    expect([downgrade.charge, downgrade.set.credit_cents]).toEqual([undefined, '0']);
  });
});

it('a change of the card alone costs nothing, even if the price changed after the period was paid', () => {
  const card = { payment_method_id: 'b', proration_behavior: 'create_prorations' };
  const amended = { ...proratedRow, amount_cents: '6000' };
  const { charge, set } = decideChange(amended, card, microsOf(at('2027-01-06')));
  expect([charge, set.credit_cents, set.payment_method_id]).toEqual([undefined, undefined, 'b']);
});

describe('a change of the period during the last of charges_max', () => {
  const lastPeriodRow = { ...proratedRow, charges_max: '2', charges_count: '2' };
  const yearly: Row = { billing_period: 'twelve_months', proration_behavior: 'create_prorations' };
  const now = microsOf(at('2027-01-06'));
  it('is refused, as it would start one more', () => {
    expect(() => decideChange(lastPeriodRow, yearly, now)).toThrow('Raise charges_max');
    expect(
      decideChange({ ...lastPeriodRow, charges_max: '3' }, yearly, now).set.charges_count,
    ).toBe('3');
  });
  it('is accepted for later, as it starts none', () => {
    const { set } = decideChange(lastPeriodRow, { ...yearly, proration_behavior: 'none' }, now);
    expect(set).not.toHaveProperty('charges_count');
  });
});

it.each<[string, Row]>([
  ['paused', { status: 'paused' }],
  ['past due', { past_due_since: at('2027-01-02') }],
])('a subscription that is %s is not changed', (_state, change) => {
  expect(() => decideChange({ ...proratedRow, ...change }, wantedRow('6000'), 0)).toThrow(
    'invalid',
  );
});

it('shows the next charge: after a trial that ends before the anchor, the time until the anchor', () => {
  const trialRow = {
    ...proratedRow,
    next_billing_at: at('2027-01-06'),
    proration_behavior: 'create_prorations',
  };
  expect(outcomeOf({ set: {} }, trialRow)).toMatchObject({ next_amount_cents: '500' });
  expect(outcomeOf({ set: {} }, proratedRow)).toMatchObject({ next_amount_cents: '3000' });
});
