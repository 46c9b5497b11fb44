import { describe, expect, it } from 'vitest';
import { fineText } from '../../port/reports/decimal.ts';
import { connectReports, type ParsedReport } from '../../port/reports/reports.ts';
import { adyenMetadata } from './metadata.ts';
import { adyenReports } from './reports.ts';

const ATTEMPT = '019a20dc-aaaa-7000-8228-43ecb30f179a';
const DEMAND = '019a20dc-bbbb-7000-8228-43ecb30f179a';
const settings = {
  api_url: 'https://checkout-test.adyen.com',
  report_url: 'https://ca-test.adyen.com',
  merchant_account: 'Shop_ECOM',
};
const reports = connectReports(adyenReports, { id: 'account', mode: 'sandbox', settings });

/** Columns in another order than the adapter's, with one that it does not know. */
const header = [
  'Booking Date',
  'Batch Number',
  'Modification Merchant Reference',
  'Interchange (NC)',
  'Scheme Fees (NC)',
  'Markup (NC)',
  'Commission (NC)',
  'Net Credit (NC)',
  'Net Debit (NC)',
  'Net Currency',
  'Gross Credit (GC)',
  'Gross Debit (GC)',
  'Gross Currency',
  'Modification Reference',
  'Type',
  'Merchant Reference',
  'Psp Reference',
  'Merchant Account',
] as const;
type Cells = Partial<Record<(typeof header)[number], string>>;

const settled: Cells = {
  'Batch Number': '7',
  'Merchant Account': 'Shop_ECOM',
  'Psp Reference': 'QFQTPCQ8HXSKGK82',
  'Merchant Reference': ATTEMPT,
  'Modification Reference': 'JDD6LKT8MBLZNN84',
  'Modification Merchant Reference': DEMAND,
  Type: 'Settled',
  'Gross Currency': 'EUR',
  'Gross Credit (GC)': '25.00',
  'Net Currency': 'EUR',
  'Net Credit (NC)': '24.60',
  'Markup (NC)': '0.15',
  'Scheme Fees (NC)': '0.05',
  'Interchange (NC)': '0.2',
};
const batchRow: Cells = {
  'Batch Number': '7',
  'Merchant Account': 'Shop_ECOM',
  'Net Currency': 'EUR',
};

const fileOf = (rows: readonly Cells[]): string =>
  [header.join(','), ...rows.map((row) => header.map((name) => row[name] ?? '').join(','))].join(
    '\n',
  );

/** The only line of a report. */
function lineOf(changes: Cells, base: Cells = settled) {
  const report = reports.parse(fileOf([{ ...base, ...changes }])) as Extract<
    ParsedReport,
    { result: 'report' }
  >;
  return report.lines[0] ?? report.quarantined[0];
}

describe('a line of a settlement details report', () => {
  it('has references, amounts and the parts of the fee', () => {
    expect(lineOf({})).toEqual({
      line: 1,
      kind: 'capture',
      batch: '7',
      authorisation_reference: 'QFQTPCQ8HXSKGK82',
      processor_reference: 'JDD6LKT8MBLZNN84',
      attempt_id: ATTEMPT,
      demand_id: DEMAND,
      gross: { amount: 2_500_000_000n, currency: 'EUR' },
      net: { amount: 2_460_000_000n, currency: 'EUR' },
      fees: { markup: 15_000_000n, scheme: 5_000_000n, interchange: 20_000_000n },
    });
  });

  it.each<[string, Cells, string, string]>([
    ['Settled', { 'Gross Debit (GC)': '25.00', 'Gross Credit (GC)': '' }, 'capture', '25.00'],
    [
      'SettledReversed',
      { 'Net Credit (NC)': '', 'Net Debit (NC)': '25.40' },
      'capture_reversed',
      '-25.00',
    ],
    ['Refunded', { 'Net Credit (NC)': '', 'Net Debit (NC)': '25.40' }, 'refund', '-25.00'],
    ['RefundedReversed', {}, 'refund_reversed', '25.00'],
    ['Chargeback', { 'Net Credit (NC)': '', 'Net Debit (NC)': '25.40' }, 'chargeback', '-25.00'],
    [
      'SecondChargeback',
      { 'Net Credit (NC)': '', 'Net Debit (NC)': '25.40' },
      'chargeback',
      '-25.00',
    ],
    ['ChargebackReversed', {}, 'chargeback_reversed', '25.00'],
  ])('of type %s moves money in its direction', (Type, changes, kind, gross) => {
    const line = lineOf({ Type, ...changes });
    expect(line).toMatchObject({ kind });
    expect(line && 'kind' in line && line.gross && fineText(line.gross)).toBe(gross);
  });

  it.each<[string, Cells, object]>([
    ['Fee', { 'Net Debit (NC)': '0.04' }, { kind: 'fee', fees: { other: 4_000_000n } }],
    ['MerchantPayout', { 'Net Debit (NC)': '24.56' }, { kind: 'payout', fees: {} }],
    ['BalanceTransfer', { 'Net Credit (NC)': '3.00' }, { kind: 'carried_over', fees: {} }],
    ['ManualCorrected', { 'Net Credit (NC)': '3.00' }, { kind: 'adjustment', fees: {} }],
  ])('of type %s belongs to the batch', (Type, changes, expected) => {
    expect(lineOf({ Type, ...changes }, batchRow)).toMatchObject(expected);
  });

  it('in two currencies keeps both amounts', () => {
    const line = lineOf({ 'Gross Currency': 'USD', 'Gross Credit (GC)': '27.50' });
    expect(line).toMatchObject({
      gross: { amount: 2_750_000_000n, currency: 'USD' },
      net: { amount: 2_460_000_000n, currency: 'EUR' },
    });
  });

  it.each<[string, Cells]>([
    ['the type Mystery is unknown', { Type: 'Mystery' }],
    ['the type constructor is unknown', { Type: 'constructor' }],
    ['the net amount is not the gross amount less the fees', { 'Net Credit (NC)': '24.61' }],
    ['the net amount cannot be read', { 'Net Credit (NC)': '24.60 EUR' }],
    ['the net amount cannot be read', { 'Net Debit (NC)': '1.00' }],
    ['the gross amount cannot be read', { 'Gross Credit (GC)': '' }],
    ['a fee cannot be read', { 'Markup (NC)': '0.123456789' }],
  ])('is quarantined: %s', (why, changes) => {
    expect(lineOf(changes)).toMatchObject({ why, line: 1, batch: '7' });
  });
});

describe('a settlement details report', () => {
  it.each([
    [
      'has another layout',
      'Type,Amount\nSettled,25.00\n',
      'each of these columns once: Merchant Account',
    ],
    [
      'is of another merchant account',
      fileOf([{ ...settled, 'Merchant Account': 'Other' }]),
      'another merchant account',
    ],
  ])('that %s is refused', (_, text, why) => {
    expect(reports.parse(text)).toMatchObject({
      result: 'refused',
      why: expect.stringContaining(why),
    });
  });

  it('is downloaded from the address of the account, whatever a notification says', () => {
    const report = adyenReports.announced?.('settlement_detail_report_batch_12.csv');
    expect(report && reports.download.mapRequest(report)).toMatchObject({
      url: 'https://ca-test.adyen.com/reports/download/MerchantAccount/Shop_ECOM/settlement_detail_report_batch_12.csv',
      credentials: { headers: { 'x-api-key': { secret: 'report_key' } } },
    });
    expect(adyenReports.announced?.('payments_accounting_report_2026_01_01.csv')).toBeUndefined();
    expect(adyenReports.announced?.('../settlement_detail_report_batch_1.csv')).toBeUndefined();
  });

  it.each([
    ['live', 'https://ca-live.adyen.com', undefined],
    ['live', 'https://ca-test.adyen.com', 'must be https://ca-live.adyen.com'],
    ['live', 'https://evil.example.com', 'must be https://ca-live.adyen.com'],
    ['sandbox', 'https://ca-test.adyen.com', undefined],
    ['sandbox', 'http://127.0.0.1:4100/adyen', undefined],
    ['sandbox', 'https://ca-live.adyen.com', 'must be https://ca-test.adyen.com'],
  ] as const)('of %s mode at %s', (mode, report_url, refusal) => {
    const api_url =
      mode === 'live'
        ? 'https://a-b-checkout-live.adyenpayments.com/checkout'
        : 'https://checkout-test.adyen.com';
    const why = adyenMetadata.refusalOf?.({ mode, settings: { ...settings, api_url, report_url } });
    if (refusal === undefined) expect(why).toBeUndefined();
    else expect(why).toContain(refusal);
  });
});
