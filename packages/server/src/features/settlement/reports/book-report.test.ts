import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microsOf } from '../../../platform/time/clock.ts';
import {
  feeParts,
  type ReportLine,
  type SettlementReport,
  sumOfFees,
} from '../../../processors/port/reports/reports.ts';
import { bookReport } from './book-report.ts';

const SEED = 20_261_126;
const now = microsOf('2026-03-02T00:00:00Z');
const source = { id: 'report', processor_account_id: 'account', mode: 'live' };
const CENT = 1_000_000n;
const eur = (amount: bigint) => ({ amount, currency: 'EUR' });
const reportOf = (
  lines: readonly ReportLine[],
  quarantined: SettlementReport['quarantined'] = [],
): SettlementReport => ({ result: 'report', lines, quarantined, others: 0 });
const book = (report: SettlementReport) => bookReport(source, report, now);

const capture: ReportLine = {
  line: 1,
  kind: 'capture',
  batch: '7',
  gross: eur(2_500n * CENT),
  net: eur(2_460n * CENT),
  fees: { commission: 40n * CENT },
};
const payoutOf = (amount: bigint): ReportLine => ({
  line: 2,
  kind: 'payout',
  batch: '7',
  net: eur(-amount),
  fees: {},
});

describe('a booked report', () => {
  it.each([
    ['matches', [capture, payoutOf(2_460n * CENT)]],
    ['differs', [capture, payoutOf(2_460n * CENT + 1n)]],
    ['none', [capture]],
  ] as const)('%s its payout', (control, lines) => {
    expect(book(reportOf(lines)).control).toBe(control);
  });

  it('converts between currencies with both sides balanced', () => {
    const converted = { ...capture, gross: { amount: 2_750n * CENT, currency: 'USD' } };
    const { transfers, control } = book(reportOf([converted, payoutOf(2_460n * CENT)]));
    expect(control).toBe('matches');
    const signed = transfers.map(({ kind, currency, debit_account, amount }) => [
      kind,
      currency,
      (debit_account === 'processor' ? 1n : -1n) * BigInt(amount as string),
    ]);
    expect(signed).toEqual([
      ['fee_commission', 'EUR', -40n * CENT],
      ['payments', 'USD', 2_750n * CENT],
      ['exchange', 'USD', -2_750n * CENT],
      ['exchange', 'EUR', 2_500n * CENT],
      ['payout', 'EUR', -2_460n * CENT],
    ]);
  });

  it('quarantines a movement with a part of a minor unit, and keeps its money visible', () => {
    const odd = { ...capture, gross: eur(2_500n * CENT + 1n), net: eur(2_460n * CENT + 1n) };
    const { lines, transfers } = book(reportOf([odd]));
    expect(lines).toMatchObject([{ kind: 'quarantined', outcome: 'quarantined' }]);
    expect(transfers).toMatchObject([{ kind: 'unexplained', amount: '2460000001' }]);
  });

  it('quarantines a movement that the database cannot store', () => {
    const amount = 999_999_999_999_999_999n * 100n * CENT;
    const { lines } = book(
      reportOf([{ ...capture, gross: eur(amount), net: eur(amount), fees: {} }]),
    );
    expect(lines).toMatchObject([{ kind: 'quarantined', net_amount: String(amount) }]);
  });

  it('moves exactly the net amounts of its rows, whatever they are', () => {
    const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    const line = fc
      .record({
        kind: fc.constantFrom('capture', 'refund', 'fee', 'payout', 'adjustment', 'carried_over'),
        units: fc.bigInt({ min: 1n, max: 10n ** 9n }),
        net: amount,
        fees: fc.dictionary(fc.constantFrom(...feeParts), amount),
        isConverted: fc.boolean(),
      })
      .map(({ kind, units, net, fees, isConverted }, index = 0): ReportLine => {
        const base = { line: index + 1, batch: '7' };
        if (kind === 'fee') return { ...base, kind, net: eur(-sumOfFees(fees)), fees };
        if (kind !== 'capture' && kind !== 'refund')
          return { ...base, kind: kind as 'payout', net: eur(net), fees: {} };
        const gross = (kind === 'capture' ? 1n : -1n) * units * CENT;
        return isConverted
          ? { ...base, kind, gross: { amount: gross, currency: 'USD' }, net: eur(net), fees }
          : { ...base, kind, gross: eur(gross), net: eur(gross - sumOfFees(fees)), fees };
      });
    const property = fc.property(fc.array(line), (lines) => {
      const { transfers } = book(reportOf(lines));
      const moved = (currency: string) =>
        transfers
          .filter((transfer) => transfer.currency === currency)
          .reduce(
            (sum, { debit_account, amount: size }) =>
              sum + (debit_account === 'processor' ? 1n : -1n) * BigInt(size as string),
            0n,
          );
      expect(moved('EUR')).toBe(lines.reduce((sum, { net }) => sum + net.amount, 0n));
      expect(moved('USD')).toBe(0n);
    });
    fc.assert(property, { seed: SEED, numRuns: 300 });
  });
});
