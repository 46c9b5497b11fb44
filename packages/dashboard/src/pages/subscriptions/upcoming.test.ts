import { expect, it } from 'vitest';
import { upcomingCents } from './upcoming.ts';

const active = {
  status: 'active',
  amount_cents: 2500,
  amount_currency: 'USD',
  credit_cents: 0,
  canceled_at_period_end: false,
  next_billing_at: '2027-02-01T00:00:00Z',
} as const;

it.each([
  ['its price', {}, 2500],
  ['its price less credit', { credit_cents: 400 }, 2100],
  ['its price and what is owed', { credit_cents: -5 }, 2505],
  ['nothing where credit pays for it', { credit_cents: 9000 }, 0],
  ['nothing where too little is left', { credit_cents: 2495 }, 0],
  ['nothing where too few fils are left', { amount_currency: 'KWD', credit_cents: 2401 }, 0],
  ['as few fils as a payment has', { amount_currency: 'KWD', credit_cents: 2400 }, 100],
])('a subscription is charged %s next', (_what, changed, cents) => {
  expect(upcomingCents({ ...active, ...changed })).toBe(cents);
});

it.each([
  ['is paused', { status: 'paused' }],
  ['ends with its period', { canceled_at_period_end: true }],
  ['is over', { status: 'cancelled', next_billing_at: null }],
] as const)('a subscription that %s has no next charge', (_what, changed) => {
  expect(upcomingCents({ ...active, ...changed })).toBeUndefined();
});
