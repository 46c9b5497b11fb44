import { ProblemError } from '@florin/contract/errors.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { feeOf } from '../ledger/fee.ts';
import { decideCapture } from './decide.ts';

const now = 1_795_232_640_000_000;
const plan = { fee_basis_points: '400', fee_fixed_cents: '5' };
const held = (captured: number, fee: string): Row => ({
  status: 'authorised',
  amount_currency: 'USD',
  amount_authorised_cents: '2500',
  amount_captured_cents: String(captured),
  fee_cents: fee,
  ...plan,
});

const capture = (record: Row, payment: Row, takesSeveral = true): Row =>
  decideCapture(record, payment, () => takesSeveral, now).row;

/** Code of a refused capture. */
function codeOf(record: Row, payment: Row, takesSeveral?: boolean): string | undefined {
  try {
    capture(record, payment, takesSeveral);
  } catch (error) {
    return error instanceof ProblemError ? error.problems[0]?.code : String(error);
  }
  return undefined;
}

describe('a capture', () => {
  it.each<[string, Row, Row, Row]>([
    ['of the hold', {}, held(0, '0'), { amount_cents: '2500', final: 'true', fee_cents: null }],
    [
      'of a part, and no more',
      { amount_cents: '1000' },
      held(0, '0'),
      { amount_cents: '1000', final: 'true', fee_cents: null },
    ],
    [
      'of a first part',
      { amount_cents: '1000', final: 'false' },
      held(0, '0'),
      { amount_cents: '1000', final: 'false', fee_cents: '45' },
    ],
    [
      'of a second part',
      { amount_cents: '700', final: 'false' },
      held(1000, '45'),
      { amount_cents: '700', final: 'false', fee_cents: '28' },
    ],
    [
      'of all that is left, although more was announced',
      { final: 'false' },
      held(1700, '73'),
      { amount_cents: '800', final: 'true', fee_cents: '32' },
    ],
  ])('%s', (_title, record, payment, expected) => {
    expect(capture(record, payment)).toMatchObject(expected);
  });

  it.each<[string, Row, Row, boolean, string]>([
    ['more than is left', { amount_cents: '1501' }, held(1000, '45'), true, 'over_authorised'],
    [
      'a part at a processor that takes one',
      { amount_cents: '1', final: 'false' },
      held(0, '0'),
      false,
      'several_captures_unsupported',
    ],
    [
      'what is not on hold',
      { final: 'false' },
      { status: 'processing' },
      false,
      'payment_not_authorised',
    ],
  ])('of %s is refused', (_title, record, payment, takesSeveral, code) => {
    expect(codeOf(record, payment, takesSeveral)).toBe(code);
  });

  it('has a part of the fee that the whole amount would have', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 2, maxLength: 5 });
    const plans = fc.record({ points: fc.nat(10_000), fixed: fc.nat(1_000) });
    fc.assert(
      fc.property(amounts, plans, (parts, { points, fixed }) => {
        const feePlan = { fee_basis_points: String(points), fee_fixed_cents: String(fixed) };
        let [captured, fees] = [0, 0];
        for (const amount of parts) {
          const payment = { ...held(captured, String(fees)), ...feePlan };
          const { fee_cents } = capture(
            { amount_cents: String(amount), final: 'false' },
            { ...payment, amount_authorised_cents: '5000' },
          );
          expect(Number(fee_cents)).toBeGreaterThanOrEqual(0);
          expect(Number(fee_cents)).toBeLessThanOrEqual(amount);
          [captured, fees] = [captured + amount, fees + Number(fee_cents)];
        }
        expect(String(fees)).toBe(feeOf(String(captured), feePlan));
      }),
    );
  });
});
