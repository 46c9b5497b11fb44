import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromProcessorUnits, toProcessorUnits } from './minor-units.ts';

const exponents = { CLP: 2, IDR: 0, ISK: 2, CVE: 0 };
const SEED = 20_261_124;

it.each([
  ['EUR', 2_499, 2_499],
  ['JPY', 500, 500],
  ['CLP', 990, 99_000],
  ['ISK', 1, 100],
  ['IDR', 1_500_000, 15_000],
  ['IDR', 1_500_001, undefined],
  ['CVE', 50, undefined],
  ['CLP', Number.MAX_SAFE_INTEGER, undefined],
])('%s %i are %s at a processor with its own table', (currency, amount, expected) => {
  expect(toProcessorUnits({ amount, currency }, exponents)).toBe(expected);
});

it('an amount that was mapped comes back unchanged', () => {
  const property = fc.property(
    fc.constantFrom('EUR', 'JPY', 'BHD', ...Object.keys(exponents)),
    fc.integer({ min: 0, max: 99_999_999_999 }),
    (currency, amount) => {
      const mapped = toProcessorUnits({ amount, currency }, exponents);
      if (mapped === undefined) return amount % 100 !== 0;
      return fromProcessorUnits({ amount: mapped, currency }, exponents) === amount;
    },
  );
  fc.assert(property, { seed: SEED });
});
