import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FINE_DECIMALS, fineText, minorUnitsOf, parseFine } from './decimal.ts';

const SEED = 20_261_126;
const MAX = 10n ** 25n;

describe('a decimal amount', () => {
  it('is read and written without a change, whatever its digits', () => {
    const property = fc.property(
      fc.bigInt({ min: -MAX, max: MAX }),
      fc.constantFrom('EUR', 'JPY', 'BHD'),
      (amount, currency) => {
        const text = fineText({ amount, currency });
        expect(parseFine(text)).toBe(amount);
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 2_000 });
  });

  it('has its digits at their places, as text arithmetic finds them', () => {
    const property = fc.property(
      fc.integer({ min: 0, max: 10 ** 9 }),
      fc.stringMatching(/^\d{0,8}$/),
      (whole, fraction) => {
        const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
        const digits = `${whole}${fraction.padEnd(FINE_DECIMALS, '0')}`;
        expect(parseFine(text)).toBe(BigInt(digits));
      },
    );
    fc.assert(property, { seed: SEED, numRuns: 500 });
  });

  it.each([
    '',
    '-',
    '.5',
    '5.',
    '1,5',
    '+1',
    '1e3',
    ' 1',
    '0x1',
    '--1',
    '1.123456789',
    '9'.repeat(19),
  ])('is none: %j', (text) => {
    expect(parseFine(text)).toBeUndefined();
  });

  it.each([
    ['24.99', 'EUR', 2_499n],
    ['-24.99', 'EUR', -2_499n],
    ['24.9900', 'EUR', 2_499n],
    ['24.991', 'EUR', undefined],
    ['24.991', 'BHD', 24_991n],
    ['1000', 'JPY', 1_000n],
    ['1000.5', 'JPY', undefined],
  ])('%s %s is %s minor units', (text, currency, expected) => {
    expect(minorUnitsOf({ amount: parseFine(text) ?? 0n, currency })).toBe(expected);
  });

  it.each([
    [2_500_000_000n, 'EUR', '25.00'],
    [-862_155n, 'EUR', '-0.00862155'],
    [100_000_000_000n, 'JPY', '1000'],
    [10_000_000n, 'JPY', '0.1'],
  ])('%s %s is shown as %s', (amount, currency, expected) => {
    expect(fineText({ amount, currency })).toBe(expected);
  });
});
