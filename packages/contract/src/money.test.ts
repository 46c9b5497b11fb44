import { describe, expect, it } from 'vitest';
import { currencyNumbers } from './currencies.ts';
import { amountDecimal, amountText, exponentOf } from './money.ts';

/** Circulating currencies of ISO 4217 with a minor unit other than 2. */
const listed = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

it('the digits of currencies are those of ISO 4217, not those of a formatter', () => {
  const of = (digits: number) =>
    [...currencyNumbers.keys()].filter((currency) => exponentOf(currency) === digits).join(' ');
  expect({ 0: of(0), 3: of(3) }).toEqual(listed);
  const others = Object.values(listed).join(' ').split(' ').length;
  expect(of(2).split(' ')).toHaveLength(currencyNumbers.size - others);
});

describe('amountText', () => {
  it.each([
    ['2499', 'USD', '$24.99'],
    ['2499', 'JPY', '¥2,499'],
    ['2499', 'GBP', '£24.99'],
    ['5', 'EUR', '€0.05'],
    ['2499', 'HUF', 'HUF\u00a024.99'],
    ['2499', 'PKR', 'PKR\u00a024.99'],
    ['2499', 'IQD', 'IQD\u00a02.499'],
    ['-5', 'USD', '-$0.05'],
    ['900719925474099301', 'USD', '$9,007,199,254,740,993.01'],
  ])('of %s minor units of %s is %s', (amount, currency, text) => {
    expect(amountText(amount, currency, 'en')).toBe(text);
  });

  it.each([
    ['2499', 'USD', '\u200f24.99\u00a0US$\u200e'],
    ['2499', 'AED', '\u200f24.99\u00a0د.إ.\u200f'],
  ])('marks a Latin currency in right-to-left text: %s %s', (amount, currency, text) => {
    expect(amountText(amount, currency, 'ar')).toBe(text);
  });

  it('knows currencies with three decimals', () => {
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
    ['2499', 'HUF', '24.99'],
    ['2499', 'IQD', '2.499'],
    ['-5', 'EUR', '-0.05'],
    ['-2499', 'JPY', '-2499'],
    ['999999999999', 'USD', '9999999999.99'],
  ])('of %s minor units of %s is %s', (amount, currency, text) => {
    expect(amountDecimal(amount, currency)).toBe(text);
  });
});
