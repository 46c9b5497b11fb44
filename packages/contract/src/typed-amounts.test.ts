import { describe, expect, it } from 'vitest';
import { decimalOf, minorUnitsOf, readAmount } from './typed-amounts.ts';

describe('amounts', () => {
  it.each([
    ['24.99', 'USD', 2499],
    ['24,9', 'EUR', 2490],
    ['1 000', 'JPY', 1000],
    ['1.234', 'KWD', 1234],
    ['0.1', 'usd', 10],
    ['1,024.99', 'USD', 102_499],
    ['1.024,9', 'EUR', 102_490],
    ['1.234.567', 'EUR', 123_456_700],
    ['1,234.567', 'KWD', 1_234_567],
    ['1\u202f024,99', 'EUR', 102_499],
    ['9 007 199 254 740.99', 'USD', 900_719_925_474_099],
  ])('are read as typed: %s %s', (text, currency, cents) => {
    expect(minorUnitsOf(text, currency)).toBe(cents);
  });

  it.each([
    ['24.999', 'USD', 'too_many_digits'],
    ['1.5', 'JPY', 'too_many_digits'],
    ['1.2345', 'KWD', 'too_many_digits'],
    ['-1', 'USD', 'not_an_amount'],
    ['1e3', 'USD', 'not_an_amount'],
    ['', 'USD', 'not_an_amount'],
    ['1,02,3', 'USD', 'not_an_amount'],
    ['9999999999999.999', 'KWD', 'not_an_amount'],
  ])('are not guessed: %s %s', (text, currency, problem) => {
    expect(readAmount(text, currency)).toEqual({ problem });
  });

  it.each([
    ['1,000', 'USD', 'en-US', { cents: 100_000 }],
    ['1.000', 'EUR', 'de-DE', { cents: 100_000 }],
    ['1.000', 'JPY', 'de-DE', { cents: 1000 }],
    ['1,000', 'EUR', 'de-DE', { problem: 'too_many_digits' }],
    ['1,000', 'KWD', 'de-DE', { cents: 1000 }],
    ['1,000', 'KWD', 'en-US', { problem: 'not_an_amount' }],
  ])("have the locale's thousands separators: %s %s in %s", (text, currency, locale, read) => {
    expect(readAmount(text, currency, locale)).toEqual(read);
  });

  it.each(['en-US', 'de-DE', 'fr-FR', 'es-ES', 'de-CH'])(
    'are read as they are written in %s',
    (locale) => {
      for (const currency of ['JPY', 'USD', 'KWD']) {
        for (const cents of [1, 99, 1000, 2499, 1_234_567]) {
          const text = decimalOf(cents, currency, locale);
          expect(readAmount(text, currency, locale), `${text} ${currency}`).toEqual({ cents });
        }
      }
    },
  );
});
