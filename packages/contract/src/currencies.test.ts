import { describe, expect, it } from 'vitest';
import { currencyNumbers } from './currencies.ts';

describe('the numbers of currencies', () => {
  it.each([
    ['USD', '840'],
    ['EUR', '978'],
    ['ALL', '008'],
    ['ZWG', '924'],
  ])('have %s as %s', (code, number) => {
    expect(currencyNumbers.get(code)).toBe(number);
  });

  it('are three digits, and each of one currency', () => {
    const numbers = [...currencyNumbers.values()];
    expect(numbers.filter((number) => !/^\d{3}$/.test(number))).toEqual([]);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect([...currencyNumbers.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
  });
});
