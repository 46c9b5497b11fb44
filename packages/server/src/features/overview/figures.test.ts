import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figuresOf } from './figures.ts';
import type { PaymentSum, RefundSum } from './sql.ts';

const paid = (day: string, payments: number, captured_cents: string): PaymentSum => ({
  day,
  currency: 'USD',
  failure_reason: null,
  payments,
  captured_cents,
});
const declined = (day: string, failure_reason: string, payments: number): PaymentSum => ({
  ...paid(day, payments, '0'),
  failure_reason,
});
const refunded = (day: string, refunds: number, refunded_cents: string): RefundSum => ({
  day,
  currency: 'USD',
  refunds,
  refunded_cents,
});

describe('the figures of a merchant', () => {
  it('are counted by day and in total, with declines by reason', () => {
    const figures = figuresOf(
      [
        paid('2027-01-02', 2, '300'),
        paid('2027-01-01', 1, '100'),
        declined('2027-01-01', 'lost_card', 1),
        declined('2027-01-02', 'generic_decline', 3),
      ],
      [refunded('2027-01-03', 1, '50')],
    );
    const none = { approved: 0, declined: 0, volume_cents: '0', refunds: 0, refunded_cents: '0' };
    expect(figures).toEqual([
      {
        currency: 'USD',
        approved: 3,
        declined: 4,
        volume_cents: '400',
        refunds: 1,
        refunded_cents: '50',
        days: [
          { ...none, day: '2027-01-01', approved: 1, declined: 1, volume_cents: '100' },
          { ...none, day: '2027-01-02', approved: 2, declined: 3, volume_cents: '300' },
          { ...none, day: '2027-01-03', refunds: 1, refunded_cents: '50' },
        ],
        declines: [
          { code: 'generic_decline', count: 3 },
          { code: 'lost_card', count: 1 },
        ],
      },
    ]);
  });

  it('are empty without payments', () => {
    expect(figuresOf([], [])).toEqual([]);
  });

  it('start with the currency of most payments', () => {
    const euro = { ...paid('2027-01-01', 5, '1'), currency: 'EUR' };
    const currencies = figuresOf([paid('2027-01-01', 4, '9000'), euro], []).map(
      (figures) => figures.currency,
    );
    expect(currencies).toEqual(['EUR', 'USD']);
  });

  it('add up exactly, beyond the safe integers', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 18n });
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 20 }), (amounts) => {
        const sums = amounts.map((amount, at) => paid(`2027-01-${10 + at}`, 1, String(amount)));
        const [figures] = figuresOf(sums, []);
        const total = amounts.reduce((sum, amount) => sum + amount, 0n);
        expect(figures?.volume_cents ?? '0').toBe(String(total));
      }),
    );
  });
});
