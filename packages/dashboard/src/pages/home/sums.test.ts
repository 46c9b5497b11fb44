import type { CurrencyFigures } from '@florin/contract/overview.ts';
import { expect, it } from 'vitest';
import { emptyFigures } from './overview.ts';
import { sumsOfSpan } from './sums.ts';

const day = (name: string, approved: number, volume_cents: string) => ({
  ...emptyFigures,
  day: name,
  approved,
  volume_cents,
});
const inCurrency = (currency: string, days: CurrencyFigures['days']): CurrencyFigures => ({
  ...emptyFigures,
  currency,
  days,
  declines: [],
});

it('approved payments are summed from the first to the last day of a span, by currency', () => {
  const currencies = [
    inCurrency('USD', [
      day('2027-02-28', 1, '1'),
      day('2027-03-01', 2, '20'),
      day('2027-03-07', 3, '9007199254740993'),
      day('2027-03-08', 4, '4000'),
    ]),
    inCurrency('EUR', [day('2027-03-01', 0, '0'), day('2027-03-08', 1, '7')]),
  ];
  expect(sumsOfSpan(currencies, { from: '2027-03-01', to: '2027-03-07' })).toEqual([
    { currency: 'USD', approved: 5, volume_cents: '9007199254741013' },
  ]);
});
