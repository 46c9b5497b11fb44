import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX, limitsWithin, platformLimits } from './amounts.ts';

describe('the amounts of a payment', () => {
  it.each([
    ['USD', 10],
    ['JPY', 10],
    ['BHD', 100],
    ['IQD', 100],
  ])('in %s are at least %i minor units', (currency, min_cents) => {
    expect(platformLimits(currency)).toEqual({ min_cents, max_cents: AMOUNT_MAX });
  });

  it('stay within the limits of the platform, whatever the merchant sets', () => {
    const platform = { min_cents: 10, max_cents: 1000 };
    expect(limitsWithin(platform)).toEqual(platform);
    expect(limitsWithin(platform, { min_cents: 50, max_cents: null })).toEqual({
      min_cents: 50,
      max_cents: 1000,
    });
    expect(limitsWithin(platform, { min_cents: 1, max_cents: 5000 })).toEqual(platform);
  });
});
