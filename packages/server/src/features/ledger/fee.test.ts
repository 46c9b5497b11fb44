import fc from 'fast-check';
import { expect, it } from 'vitest';
import { feeOf } from './fee.ts';

const planColumns = (fee_basis_points: number, fee_fixed_cents: number) => ({
  fee_basis_points: String(fee_basis_points),
  fee_fixed_cents: String(fee_fixed_cents),
});

it.each([
  ['1500', planColumns(400, 5), '65'],
  ['2500', planColumns(400, 5), '105'],
  ['1012', planColumns(400, 0), '40'],
  ['1013', planColumns(400, 0), '41'],
  ['10', planColumns(0, 30), '10'],
  ['9007199254740993', planColumns(1, 0), '900719925474'],
  ['1000', {}, '0'],
])('of %s with %o is %s', (amount, row, fee) => {
  expect(feeOf(amount, row)).toBe(fee);
});

it('is between zero and the amount, and grows with it', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(
      amounts,
      amounts,
      fc.nat(10_000),
      fc.nat(1_000),
      (amount, addedAmount, points, fixed) => {
        const fee = (amount: bigint): bigint =>
          BigInt(feeOf(String(amount), planColumns(points, fixed)));
        expect(fee(amount) >= 0n && fee(amount) <= amount).toBe(true);
        expect(fee(amount + addedAmount) >= fee(amount)).toBe(true);
      },
    ),
  );
});
