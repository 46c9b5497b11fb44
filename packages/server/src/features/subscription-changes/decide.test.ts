import { describe, expect, it } from 'vitest';
import { microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { decideChange } from './decide.ts';

const at = (day: string): string => `${day}T00:00:00.000000Z`;
/** Paid for the ten days until its anchor: a third of 3000. */
const prorated: Row = {
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
const asked = (amount_cents: string): Row => ({
  amount_cents,
  proration_behavior: 'create_prorations',
});

describe('a change of the price in a period that was paid in part', () => {
  const now = microsOf(at('2027-01-06'));
  it('and back costs nothing in the end', () => {
    const up = decideChange(prorated, asked('6000'), now);
    expect(up.charge).toMatchObject({ amount: 500, credit_used: 0 });
    const back = decideChange({ ...prorated, ...up.set }, asked('3000'), now);
    expect([back.charge, back.set.credit_cents]).toEqual([undefined, '500']);
  });
});

it.each<[string, Row]>([
  ['paused', { status: 'paused' }],
  ['past due', { past_due_since: at('2027-01-02') }],
])('a subscription that is %s is not changed', (_state, change) => {
  expect(() => decideChange({ ...prorated, ...change }, asked('6000'), 0)).toThrow('invalid');
});
