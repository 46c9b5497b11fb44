import { expect, it } from 'vitest';
import { sumDisputes } from './sum-disputes.ts';

const dispute = (status: string, amount_cents: number, amount_currency = 'USD') => ({
  status,
  amount_cents,
  amount_currency,
});

it.each([
  ['no disputes', [], []],
  [
    'lost and accepted disputes as lost',
    [
      dispute('lost', 1),
      dispute('accepted', 20),
      dispute('won', 300),
      dispute('under_review', 4000),
    ],
    [{ currency: 'USD', cents: 4321, lost_cents: 21 }],
  ],
  [
    'each currency alone',
    [dispute('lost', 5), dispute('won', 7, 'EUR')],
    [
      { currency: 'USD', cents: 5, lost_cents: 5 },
      { currency: 'EUR', cents: 7, lost_cents: 0 },
    ],
  ],
])('sums %s', (_what, disputes, sums) => expect(sumDisputes(disputes)).toEqual(sums));
