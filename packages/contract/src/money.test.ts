import { describe, expect, it } from 'vitest';
import { amountDecimal, amountText } from './money.ts';

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

describe('amountDecimal', () => {
  it.each([
    ['2499', 'USD', '24.99'],
    ['5', 'EUR', '0.05'],
    ['0', 'USD', '0.00'],
    ['2499', 'JPY', '2499'],
    ['2499', 'BHD', '2.499'],
    ['999999999999', 'USD', '9999999999.99'],
  ])('of %s minor units of %s is %s', (amount, currency, text) => {
    expect(amountDecimal(amount, currency)).toBe(text);
  });
});
