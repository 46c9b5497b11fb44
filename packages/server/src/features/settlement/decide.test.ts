import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { compareLines, settledRange, verdictOf } from './decide.ts';

const now = 1_795_232_640_000_000;
const day = '2026-11-20';

const line: Row = {
  day,
  line: '1',
  entry: 'capture',
  reference: 'attempt',
  amount_cents: '2500',
  amount_currency: 'USD',
  merchant_id: 'merchant',
  payment_demand_id: 'payment',
  source_id: 'payment',
  expected_cents: '2500',
  expected_currency: 'USD',
  is_open: 'f',
  is_settled: 'f',
};
const unmatchedColumns = { source_id: null, expected_cents: null, expected_currency: null };
const unknownMerchantColumns = { ...unmatchedColumns, merchant_id: null, payment_demand_id: null };

describe('a line of a settlement file', () => {
  it.each<[string, Row, string]>([
    ['agrees with attempt and transfer', {}, 'settled'],
    ['has another amount', { amount_cents: '2499' }, 'amount_differs'],
    ['has another currency', { amount_currency: 'EUR' }, 'currency_differs'],
    ['was settled by an earlier file', { is_settled: 't' }, 'duplicate'],
    ['was settled on request before', { is_settled: 't', is_requested: 't' }, 'settled'],
    ['is about nothing that is known of a payment', unmatchedColumns, 'missing_here'],
    ['is about an attempt that is under way', { ...unmatchedColumns, is_open: 't' }, 'wait'],
    ['is about a dispute that is not lost here yet', { expected_cents: null }, 'wait'],
    ['is of a merchant that moves', { is_stopped: 't' }, 'wait'],
    ['was settled by another cell', { is_settled: 't', is_moved: 't' }, 'moved'],
    ['is of nobody', unknownMerchantColumns, 'unknown_merchant'],
  ])('that %s', (_, otherLine, verdict) => {
    expect(verdictOf({ ...line, ...otherLine }, new Set())).toBe(verdict);
  });
});

it('lines of one batch settle a payment once, under either reference; exceptions have expected and found amounts', () => {
  const smallerLine = {
    ...line,
    line: '3',
    reference: 'other',
    source_id: 'other',
    amount_cents: '1',
  };
  const waitingLine = {
    ...line,
    ...unmatchedColumns,
    line: '4',
    reference: 'under way',
    is_open: 't',
  };
  const captureLine = { ...line, line: '2', reference: 'its capture' };
  const lines = [line, captureLine, smallerLine, waitingLine];
  const changes = compareLines(lines, { mode: 'sandbox', day: '2026-11-21' }, now);
  expect(changes.lines.map(({ outcome }) => outcome)).toEqual([
    'settled',
    'exception',
    'exception',
    null,
  ]);
  expect(changes.transfers).toMatchObject([
    { kind: 'settled', debit_account: 'bank', credit_account: 'processor', source_id: 'payment' },
  ]);
  expect(changes.exceptions).toMatchObject([
    { kind: 'duplicate', processor_reference: 'its capture', settled_on: day, found_cents: '2500' },
    { kind: 'amount_differs', processor_reference: 'other', found_cents: '1', status: 'open' },
  ]);
});

it('a line takes the place of a settlement on request: it appends no transfer, and a second one is a duplicate', () => {
  const requested = { ...line, is_settled: 't', is_requested: 't' };
  const lines = [requested, { ...requested, line: '2' }];
  const changes = compareLines(lines, { mode: 'sandbox', day }, now);
  expect(changes.transfers).toEqual([]);
  expect(changes.replacing).toMatchObject([{ line: '1', source_id: 'payment' }]);
  expect(changes.exceptions).toMatchObject([{ kind: 'duplicate' }]);
});

it('each transfer is matched within one day', () => {
  const [firstRange, secondRange] = [settledRange('2026-02-28'), settledRange('2026-03-01')];
  expect(firstRange).toEqual({
    from: '2026-02-27T23:00:00.000000Z',
    to: '2026-02-28T23:00:00.000000Z',
  });
  expect(secondRange.from).toBe(firstRange.to);
});
