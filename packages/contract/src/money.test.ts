import { describe, expect, it } from 'vitest';
import { amountText } from './money.ts';

describe('amountText', () => {
  it.each([
    ['2499', 'USD', '$24.99'],
    ['2499', 'JPY', '¥2,499'],
    ['2499', 'GBP', '£24.99'],
    ['5', 'EUR', '€0.05'],
  ])('of %s minor units of %s is %s', (amount, currency, text) => {
    expect(amountText(amount, currency, 'en')).toBe(text);
  });

  it('knows currencies of a thousand minor units', () => {
    expect(amountText('2499', 'BHD', 'en')).toContain('2.499');
  });
});
