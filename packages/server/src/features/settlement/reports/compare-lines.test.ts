import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, microsOf, seconds } from '../../../platform/time/clock.ts';
import {
  compareReportLines,
  PROOF_WAIT_SECONDS,
  reportVerdictOf,
  WAIT_SECONDS,
} from './compare-lines.ts';

const now = microsOf('2026-03-02T00:00:00Z');
const old = instantText(now - seconds(WAIT_SECONDS));
const older = instantText(now - seconds(PROOF_WAIT_SECONDS));
const capture: Row = {
  report_id: '01935f00-0000-7000-8000-000000000001',
  line: '1',
  kind: 'capture',
  mode: 'live',
  amount_cents: '2500',
  amount_currency: 'EUR',
  processor_reference: 'CAPTURE1',
  is_flagged: 'f',
  settled_by: null,
  has_second_round: 'f',
  created_at: instantText(now),
  merchant_id: '01935f00-0000-7000-8000-000000000002',
  payment_demand_id: '01935f00-0000-7000-8000-000000000003',
  source_id: '01935f00-0000-7000-8000-000000000003',
  attempt_status: 'approved',
  expected_cents: '2500',
  expected_currency: 'EUR',
};
const stranger: Row = { merchant_id: null, source_id: null, expected_cents: null };
const open: Row = { expected_cents: null, expected_currency: null };

describe('a line of a report', () => {
  it.each<[string, Row, string]>([
    ['equals the ledger', {}, 'settled'],
    ['has another amount', { amount_cents: '2499' }, 'amount_differs'],
    ['has another currency', { amount_currency: 'USD' }, 'currency_differs'],
    ['was settled before', { settled_by: 'settled' }, 'duplicate'],
    ['is of a merchant that moves', { is_stopped: 't', created_at: old }, 'wait'],
    ['was settled by another cell', { settled_by: 'settled', moved_by: 'settled' }, 'moved'],
    [
      'was settled by another cell, a second time',
      { settled_by: 'settled', moved_by: 'settled', moved_lines: '1' },
      'duplicate',
    ],
    ['takes back a capture', { kind: 'capture_reversed' }, 'reversed'],
    ['takes back a refund', { kind: 'refund_reversed' }, 'reversed'],
    ['is of a payment that has no capture yet', open, 'wait'],
    ['is of a payment that had no capture for a day', { ...open, created_at: old }, 'missing_here'],
    ['is of an unknown outcome', { ...open, attempt_status: 'unknown' }, 'proof'],
    [
      'is of an unknown outcome, a day ago',
      { ...open, attempt_status: 'unknown', created_at: old },
      'proof',
    ],
    ['is of an abandoned outcome', { ...open, attempt_status: 'abandoned' }, 'proof'],
    [
      'is of an unknown outcome, a month ago',
      { ...open, attempt_status: 'unknown', created_at: older },
      'missing_here',
    ],
    ['is of no known payment', stranger, 'wait'],
    ['is of no known payment for a day', { ...stranger, created_at: old }, 'unmatched'],
  ])('that %s', (_, changes, verdict) => {
    expect(reportVerdictOf({ ...capture, ...changes }, new Set(), now)).toBe(verdict);
  });

  const back = { kind: 'chargeback', settled_by: 'settled settled_back' };
  const again = { kind: 'chargeback', settled_by: 'settled settled_back settled_again' };
  const second = { ...again, has_second_round: 't' };
  const all = `${again.settled_by} second_settled_back second_settled_again`;
  it.each<[string, Row, string]>([
    ['once more, after the first was returned', second, 'settled'],
    ['once more, before a report of the return', { ...back, has_second_round: 't' }, 'wait'],
    ['once more, without a return for a day', { ...back, created_at: old }, 'duplicate'],
    ['once more, without a notification', again, 'wait'],
    ['once more, without a notification for a day', { ...again, created_at: old }, 'proof'],
    ['once more, without a notification for a month', { ...again, created_at: older }, 'duplicate'],
    ['once more, of another amount', { ...second, amount_cents: '2499' }, 'amount_differs'],
    ['a third time', { ...second, settled_by: all }, 'duplicate'],
  ])('that takes a disputed amount %s', (_, changes, verdict) => {
    expect(reportVerdictOf({ ...capture, ...changes }, new Set(), now)).toBe(verdict);
  });

  it('that returns, takes and returns a disputed amount again settles each once', () => {
    const chargeback = { ...capture, kind: 'chargeback', has_second_round: 't' };
    const returned = { ...chargeback, kind: 'chargeback_reversed' };
    const lines = [chargeback, returned, chargeback, returned, chargeback];
    const { transfers, exceptions } = compareReportLines(lines, now);
    expect(transfers.map(({ kind }) => kind)).toEqual([
      'settled_back',
      'settled_again',
      'second_settled_back',
      'second_settled_again',
    ]);
    expect(exceptions.map(({ kind }) => kind)).toEqual(['duplicate']);
  });

  it('that comes twice in a slice is settled once', () => {
    const { transfers, exceptions } = compareReportLines([capture, { ...capture, line: '2' }], now);
    expect(transfers.map(({ kind }) => kind)).toEqual(['settled']);
    expect(exceptions.map(({ kind }) => kind)).toEqual(['duplicate']);
  });

  it.each([
    ['capture', 'settled', 'bank'],
    ['refund', 'settled_back', 'processor'],
    ['chargeback', 'settled_back', 'processor'],
    ['chargeback_reversed', 'settled_again', 'bank'],
  ])('of kind %s posts %s', (kind, posted, debit_account) => {
    const { transfers } = compareReportLines([{ ...capture, kind }], now);
    expect(transfers).toMatchObject([{ kind: posted, debit_account, amount_cents: '2500' }]);
  });

  it('that proves an unknown outcome is reported once, and waits', () => {
    const proof = { ...capture, ...open, attempt_status: 'unknown' };
    const first = compareReportLines([proof], now);
    expect(first.exceptions).toMatchObject([{ kind: 'outcome_unknown', source_id: null }]);
    expect(first.lines).toMatchObject([{ outcome: null, is_flagged: 'true' }]);
    const second = compareReportLines([{ ...proof, is_flagged: 't' }], now);
    expect([second.exceptions, second.lines[0]?.outcome]).toEqual([[], null]);
  });
});

it('two lines of a transfer that another cell has settled are one line, and its duplicate', () => {
  const moved = { ...capture, settled_by: 'settled', moved_by: 'settled', moved_lines: '0' };
  const { lines, transfers, exceptions } = compareReportLines(
    [moved, { ...moved, line: '2' }],
    now,
  );
  expect(lines.map(({ outcome }) => outcome)).toEqual(['moved', 'exception']);
  expect([transfers.length, exceptions.length]).toEqual([0, 1]);
});
