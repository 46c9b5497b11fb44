import { describe, expect, it } from 'vitest';
import { connectReports, type ParsedReport } from '../../port/reports/reports.ts';
import { shortReference } from './reference.ts';
import { checkoutReports } from './reports.ts';

const DEMAND = '019a20dc-bbbb-7000-8228-43ecb30f179a';
const CHANNEL = 'pc_a7mxzdh5iwsujpv6otpqzvxc2e';
const reports = connectReports(checkoutReports, {
  id: 'account',
  mode: 'sandbox',
  settings: { api_url: 'https://a.api.sandbox.checkout.com', processing_channel_id: CHANNEL },
});

const capture = {
  'Client Entity Name': '"Shop, one"',
  'Processing Channel ID': CHANNEL,
  'Payment ID': 'pay_1',
  Reference: shortReference(DEMAND),
  'Action ID': 'act_1',
  'Payout ID': 'PAYOUT1',
  'Breakdown Type': 'Capture',
  'Processing Currency': 'EUR',
  'Processing Currency Amount': '25.00',
  'Holding Currency': 'EUR',
  'Holding Currency Amount': '25.00',
};
type Cells = Partial<typeof capture>;
const fee = (type: string, amount: string): Cells => ({
  'Breakdown Type': type,
  'Processing Currency Amount': amount,
  'Holding Currency Amount': amount,
});

const fileOf = (rows: readonly Cells[]): string =>
  [Object.keys(capture), ...rows.map((row) => Object.values({ ...capture, ...row }))]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');

const parse = (rows: readonly Cells[]) =>
  reports.parse(fileOf(rows)) as Extract<ParsedReport, { result: 'report' }>;
const lineOf = (row: Cells) => {
  const { lines, quarantined } = parse([row]);
  return lines[0] ?? quarantined[0];
};
const amounts = (amount: string): Cells => fee('', amount);

describe('a row of financial actions', () => {
  it('has references and amounts', () => {
    expect(lineOf({})).toEqual({
      line: 1,
      kind: 'capture',
      batch: 'PAYOUT1',
      authorisation_reference: 'pay_1',
      processor_reference: 'act_1',
      demand_id: DEMAND,
      gross: { amount: 2_500_000_000n, currency: 'EUR' },
      net: { amount: 2_500_000_000n, currency: 'EUR' },
      fees: {},
    });
  });

  it.each([
    ['Partial Capture', '25.00', 'capture'],
    ['Refund', '-25.00', 'refund'],
    ['Partial Refund', '-25.00', 'refund'],
    ['Refund', '25.00', 'refund_reversed'],
    ['Chargeback (ADJM)', '-25.00', 'chargeback'],
    ['Chargeback (RPDW)', '25.00', 'chargeback_reversed'],
  ])('of type %s with %s is a %s', (type, amount, kind) => {
    expect(lineOf({ ...amounts(amount), 'Breakdown Type': type })).toMatchObject({ kind });
  });

  it.each([
    ['Interchange Variable Fee', 'interchange'],
    ['Scheme Variable Fee', 'scheme'],
    ['Gateway Fixed Fee', 'other'],
  ])('of type %s is a fee with all its decimals', (type, part) => {
    expect(lineOf(fee(type, '-0.00862155'))).toMatchObject({
      kind: 'fee',
      fees: { [part]: 862_155n },
      net: { amount: -862_155n },
    });
  });

  it.each<[string, Cells]>([
    ['the type Mystery is unknown', { 'Breakdown Type': 'Mystery' }],
    ['an amount cannot be read', { 'Processing Currency Amount': '25.123456789' }],
    ['an amount cannot be read', { 'Holding Currency': 'euro' }],
    ['the amounts of one currency differ', { 'Holding Currency Amount': '24.00' }],
  ])('is quarantined: %s', (why, row) => {
    expect(lineOf(row)).toMatchObject({ why });
  });

  it('of another channel is left out', () => {
    const report = parse([{}, { 'Processing Channel ID': 'pc_other' }]);
    expect([report.lines.length, report.others]).toEqual([1, 1]);
  });
});

describe('the list of reports', () => {
  const { list } = reports;
  const file = { id: 'file_1', filename: 'financial-actions_1.csv' };

  it('has the files of the one kind that Florin reads, and the next page', () => {
    const body = {
      data: [
        { id: 'rpt_1', type: 'FinancialActionsByPayoutId', files: [file, { id: 'bad id' }] },
        { id: 'rpt_2', type: 'FinancialActionsByDate', files: [file] },
      ],
      _links: { next: { href: 'https://x.test/reports?pagination_token=7' } },
    };
    expect(list?.mapAnswer({ outcome: 'answered', status: 200, body })).toEqual({
      result: 'reports',
      reports: [{ name: 'rpt_1/file_1', location: 'rpt_1/files/file_1' }],
      next: '7',
    });
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [429, 'unknown'],
    [500, 'unknown'],
  ])('after status %s is %s', (status, result) => {
    expect(list?.mapAnswer({ outcome: 'answered', status, body: null })).toMatchObject({ result });
  });

  it('is asked for a period', () => {
    const request = list?.mapRequest({
      from: '2026-01-01T00:00:00Z',
      until: '2026-01-02T00:00:00Z',
    });
    expect(request?.url).toBe(
      'https://a.api.sandbox.checkout.com/reports?created_after=2026-01-01T00%3A00%3A00Z&created_before=2026-01-02T00%3A00%3A00Z&limit=100',
    );
  });
});
