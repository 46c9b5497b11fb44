import type { LateApprovals } from '@florin/contract/late-approvals.ts';
import { type CheckRule, checkRules } from '@florin/contract/risk/check-rules.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { requireOperatorsTurn, requireProof } from './decide-close-outcome.ts';

const ATTEMPT: Row = {
  status: 'reversing',
  decline_code: 'processor_unreachable',
  amount_cents: '2500',
  amount_currency: 'USD',
};
const DEMAND: Row = { status: 'processing', capture_method: 'automatic' };
const LINE: Row = {
  kind: 'outcome_unknown',
  entry: 'capture',
  found_cents: '2500',
  amount_currency: 'USD',
};
const MISMATCH: Row = {
  cvc2_check: 'mismatch',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
};
const FOUND = { outcome: 'succeeded', reference: 'PSP1' } as const;

interface Given {
  readonly attempt?: Row;
  readonly demand?: Row;
  readonly reference?: string | undefined;
  readonly reported?: readonly Row[];
  readonly late_approvals?: LateApprovals;
  readonly refused_mismatches?: readonly CheckRule[];
}

const prove = ({
  attempt,
  demand,
  reported = [],
  late_approvals = 'capture',
  refused_mismatches = [],
  ...found
}: Given) =>
  requireProof(
    { ...ATTEMPT, ...attempt },
    { ...DEMAND, ...demand },
    { ...FOUND, ...found },
    { reported, late_approvals, refused_mismatches },
  );

describe('a captured payment is confirmed', () => {
  it.each<[string, Given]>([
    ['with an id of the processor', {}],
    ['with the id that the processor told', { attempt: { processor_reference: 'PSP1' } }],
    ['with an id that is stored with its kind', { attempt: { processor_reference: 'sale:PSP1' } }],
    ['with a settlement report of the same amount', { reported: [LINE] }],
    ['after each accepted reversal was refused', { attempt: { reversals: '{"R1":"refused"}' } }],
    ['with a failed check that the merchant accepts', { attempt: MISMATCH }],
    [
      'without the payer, whose earlier payment passed the checks',
      { attempt: MISMATCH, demand: { initiator: 'merchant' }, refused_mismatches: checkRules },
    ],
  ])('%s', (_name, given) => {
    expect(() => prove(given)).not.toThrow();
  });

  it.each<[string, Given, string]>([
    ['without an id', { reference: undefined }, 'processor_reference is required'],
    [
      'with the id of another payment',
      { attempt: { processor_reference: 'PSP2' } },
      'must be PSP2',
    ],
    [
      'while an accepted reversal has no outcome',
      { attempt: { reversals: '{"R1":"refused","R2":"accepted"}' } },
      'accepted a reversal of this payment',
    ],
    [
      'with the id of a reversal',
      { attempt: { reversals: '{"PSP1":"refused"}' } },
      'is the id of a reversal',
    ],
    ['held by a restore', { attempt: { recovered_at: 'now' } }, 'florin restore decide'],
    ['with a later attempt', { attempt: { abandoned_at: 'now' } }, 'another attempt'],
    ['that was cancelled', { demand: { cancellation_reason: 'requested' } }, 'was cancelled here'],
    ['captured later', { demand: { capture_method: 'manual' } }, 'captures this payment later'],
    ['refused by a rule', { attempt: { decline_code: 'processor_timeout' } }, 'processor_timeout'],
    ['approved in part', { attempt: { approved_cents: '900' } }, 'another amount (900 USD)'],
    [
      'of another amount',
      { attempt: { codes: '{"approved_amount":"3100 USD"}' } },
      'another amount (3100 USD)',
    ],
    [
      'settled with another amount',
      { reported: [LINE, { ...LINE, found_cents: '2400' }] },
      '2400 USD',
    ],
    ['refunded in a report', { reported: [LINE, { ...LINE, entry: 'refund' }] }, 'went back'],
    ['charged back in a report', { reported: [{ ...LINE, entry: 'dispute' }] }, 'went back'],
    ['taken back in a report', { reported: [LINE, { ...LINE, kind: 'reversed' }] }, 'went back'],
    [
      'with a check that the merchant refuses',
      { attempt: MISMATCH, refused_mismatches: ['cvc_mismatch'] },
      'refuses payments with cvc_mismatch. Refund it',
    ],
    ['against the setting of its merchant', { late_approvals: 'reverse' }, 'no late approvals'],
    [
      'settled in another currency',
      { reported: [{ ...LINE, amount_currency: 'EUR' }] },
      '2500 EUR',
    ],
  ])('not %s', (_name, given, detail) => {
    expect(() => prove(given)).toThrow(detail);
  });
});

it.each<[string, Row, string | undefined]>([
  ['that waits for an operator', {}, undefined],
  ['that Florin will ask about', { due_at: '2026-11-29T10:00:00Z' }, 'Florin finds out itself'],
  ['with a known outcome', { status: 'approved' }, 'The outcome is known already'],
])('an attempt %s may be closed, or the error says why not', (_name, columns, detail) => {
  const close = () => requireOperatorsTurn({ ...ATTEMPT, ...columns });
  if (detail === undefined) expect(close).not.toThrow();
  else expect(close).toThrow(detail);
});
