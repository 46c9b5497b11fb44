import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { microsOf } from '../../../platform/time/clock.ts';
import type { Visit } from '../open.ts';
import { subscriptionView } from './view.ts';

const at = (day: string): string => `${day}T00:00:00.000000Z`;
const activeSubscription: Row = {
  id: 'a subscription',
  status: 'active',
  confirmed: 't',
  amount_cents: '3000',
  amount_currency: 'USD',
  billing_period: 'thirty_days',
  billing_timezone: 'UTC',
  billing_cycle_anchor_at: at('2027-01-31'),
  next_billing_at: at('2027-01-31'),
  proration_behavior: 'create_prorations',
  credit_cents: '0',
  canceled_at_period_end: 'f',
};

function viewOf(columns: Row = {}, charges: readonly Row[] = []) {
  const visit = {
    subscription: { ...activeSubscription, ...columns },
    merchant: {},
    rights: new Set(),
    has_other_card: false,
    now: microsOf(at('2027-01-10')),
  } as unknown as Visit;
  return subscriptionView(visit, { card: undefined, charges });
}

describe('the next payment', () => {
  const trial = { trial_end_at: at('2027-01-21'), next_billing_at: at('2027-01-21') };
  it.each<[string, Row, number]>([
    ['of a period', {}, 3000],
    ['less credit', { credit_cents: '500' }, 2500],
    ['after a trial that ends before the anchor, of the time until then', trial, 1000],
    ['of that time less credit', { ...trial, credit_cents: '300' }, 700],
  ])('%s', (_, columns, amount) => {
    expect(viewOf(columns).next?.price).toEqual({ amount, currency: 'USD' });
  });
});

it('omits charges that credit has paid', () => {
  const charge = { ...activeSubscription, created_at: at('2027-01-01') };
  const charges: Row[] = [
    { ...charge, id: 'credit', status: 'canceled', cancellation_reason: 'paid_by_credit' },
    { ...charge, id: 'canceled', status: 'canceled', cancellation_reason: 'requested' },
    { ...charge, id: 'failed', status: 'failed' },
  ];
  expect(viewOf({}, charges).charges.map(({ id, state }) => [id, state])).toEqual([
    ['canceled', 'failed'],
    ['failed', 'failed'],
  ]);
});
