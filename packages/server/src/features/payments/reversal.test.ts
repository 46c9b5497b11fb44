import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { mayStillReverse } from '../attempts/accepted-reversals.ts';
import { approvedAmountOf } from '../attempts/other-amount.ts';
import { type AttemptResult, decidePaymentOutcome } from './decide-outcome.ts';

const now = 1_795_232_640_000_000;
const at = instantText(now);
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;
const approved: AttemptResult = {
  result: 'approved',
  authorisation_code: null,
  network_transaction_id: null,
  processor_reference: 'psp-1',
  ...checks,
};
const demand: Row = { status: 'processing', amount_cents: '2500', unsent_count: '0' };
const decide = (attempt: Row, payment: Row, result: AttemptResult) =>
  decidePaymentOutcome({ inquiries: '4', created_at: at, ...attempt }, payment, result, now);

describe('a reversal that an operator closes', () => {
  const closed: AttemptResult = { result: 'closed' };

  it('fails the payment, and abandons an attempt that nobody knows at the processor', () => {
    const changes = decide({ status: 'reversing' }, demand, closed);
    expect(changes?.attempt).toMatchObject({ trigger: 'abandon', set: { abandoned_at: at } });
    expect(changes?.demand).toMatchObject({
      trigger: 'decline',
      set: { failure_reason: 'processor_unreachable' },
    });
  });

  it('ends an attempt that the processor knows', () => {
    const known = { status: 'reversing', processor_reference: 'psp-1' };
    expect(decide(known, demand, closed)?.attempt.trigger).toBe('undo');
    const voided = { ...demand, cancellation_reason: 'requested' };
    expect(decide(known, voided, closed)?.demand.trigger).toBe('release');
  });

  it.each(['sending', 'unknown', 'approved', 'declined', 'reversed'])('is not %s', (status) => {
    expect(decide({ status }, demand, closed)).toBeUndefined();
  });
});

it.each<[string, AttemptResult]>([
  ['an approval', approved],
  [
    'a partial approval',
    { result: 'partly_approved', approvedAmount: 100, processor_reference: 'psp-1' },
  ],
])('%s that is told during a reversal makes the reversal exact', (_, result) => {
  const changes = decide({ status: 'reversing', unknown_since: at }, demand, result);
  expect(changes?.attempt.trigger).toBeUndefined();
  expect(changes?.attempt.set).toMatchObject({ due_at: at, processor_reference: 'psp-1' });
  expect(changes?.demand).toEqual({ set: {}, events: [] });
});

describe('an approval that is told once the reversal has begun', () => {
  const reversing = {
    status: 'reversing',
    due_at: null,
    processor_reference: 'psp-1',
    amount_cents: '2500',
    amount_currency: 'USD',
    codes: '{"resultCode":"Authorised"}',
  };
  const partial: AttemptResult = { result: 'partly_approved', approvedAmount: 900 };
  const other: AttemptResult = { ...approved, money: { amount: 3_100, currency: 'USD' } };
  const after = (attempt: Row, result: AttemptResult): Row => ({
    ...attempt,
    ...decide(attempt, demand, result)?.attempt.set,
  });

  it.each([
    ['a part', partial, '900 USD'],
    ['another amount', other, '3100 USD'],
  ])('tells that %s was approved, and stays an operator’s', (_, result, expected) => {
    const noted = after(reversing, result);
    expect([approvedAmountOf(noted), noted.due_at, noted.status]).toEqual([
      expected,
      null,
      'reversing',
    ]);
    expect(decide(noted, demand, result)).toBeUndefined();
  });

  it('is not forgotten after results that tell no amount', () => {
    const codes = { response: '10' };
    const unresolved = { result: 'unresolved', why: 'refused', codes } as AttemptResult;
    const noted = after(after(reversing, other), unresolved);
    expect(approvedAmountOf(noted)).toBe('3100 USD');
    expect(JSON.parse(noted.codes as string)).toMatchObject(codes);
  });

  it('keeps its checks, and the facts that later charges need', () => {
    const facts = { authorisation_code: 'A1', network_transaction_id: 'N1' };
    const noted = after(reversing, { ...approved, ...facts } as AttemptResult);
    expect(noted).toMatchObject({ ...checks, ...facts });
  });

  it.each([
    ['processor_unreachable', 'incorrect_cvc'],
    [null, 'incorrect_cvc'],
    ['processor_timeout', 'processor_timeout'],
  ])('fails by the rule about its checks if its reversal began for %s: %s', (before, reason) => {
    const mismatch = { ...approved, cvc2_check: 'mismatch', refused_mismatches: ['cvc_mismatch'] };
    const attempt = { ...reversing, decline_code: before };
    expect(after(attempt, mismatch as AttemptResult).decline_code).toBe(reason);
  });

  it('changes nothing if it is of another payment', () => {
    const foreign = { ...partial, processor_reference: 'psp-2' } as AttemptResult;
    expect(decide(reversing, demand, foreign)).toBeUndefined();
  });
});

it('a partial approval that a restore must prove first keeps its amount', () => {
  const recovered = { status: 'unknown', recovered_at: at, amount_currency: 'USD', due_at: null };
  const partial: AttemptResult = { result: 'partly_approved', approvedAmount: 900 };
  const changes = decide(recovered, demand, partial);
  expect(changes?.attempt.trigger).toBeUndefined();
  expect(approvedAmountOf({ ...recovered, ...changes?.attempt.set })).toBe('900 USD');
});

describe('a reversal that finds the payment a day later', () => {
  const earlier = instantText(now - seconds(86_400));
  const reversing = { status: 'reversing', unknown_since: earlier };
  const found = {
    result: 'unresolved',
    why: 'the processor has not reversed it yet',
    processor_reference: 'psp-1',
  } as const;
  const startOf = (attempt: Row, result: AttemptResult) =>
    decide(attempt, demand, result)?.attempt.set.unknown_since;

  it('counts its repetitions from then on', () => {
    expect(startOf(reversing, found)).toBe(at);
    expect(startOf({ ...reversing, abandoned_at: earlier }, found)).toBe(at);
  });

  it('does not begin again with each try', () => {
    expect(startOf({ ...reversing, processor_reference: 'psp-1' }, found)).toBe(earlier);
    expect(startOf(reversing, { result: 'unresolved', why: 'no answer' })).toBe(earlier);
    expect(startOf({ ...reversing, status: 'unknown' }, found)).toBe(earlier);
  });
});

describe('a reversal that its processor accepted', () => {
  const reversing = { status: 'reversing', unknown_since: at };
  const accepted = { result: 'unresolved', why: 'pending', accepted_as: 'r1' } as const;
  const refused = { result: 'reversal_refused', reversal_reference: 'r1' } as const;
  const after = (attempt: Row, result: AttemptResult): Row => ({
    ...attempt,
    ...decide(attempt, demand, result)?.attempt.set,
  });

  it('is kept until the processor tells that it refused it', () => {
    const kept = after(reversing, accepted);
    expect(mayStillReverse(kept)).toBe(true);
    const ended = after(kept, refused);
    expect(mayStillReverse(ended)).toBe(false);
    expect([ended.status, ended.due_at]).toEqual(['reversing', kept.due_at]);
    expect(decide(ended, demand, refused)).toBeUndefined();
  });

  it('is not kept with an attempt that is not reversed', () => {
    expect(after({ status: 'unknown' }, accepted).reversals).toBeUndefined();
    expect(decide({ status: 'approved' }, demand, refused)).toBeUndefined();
  });
});

it('is not closed while Florin still repeats the reversal', () => {
  const due = { status: 'reversing', due_at: at };
  expect(decide(due, demand, { result: 'closed' })).toBeUndefined();
  expect(decide({ ...due, abandoned_at: at }, demand, { result: 'closed' })).toBeUndefined();
});

describe('an abandoned attempt', () => {
  const abandoned = { status: 'abandoned', abandoned_at: at };
  const reversing = { ...abandoned, status: 'reversing', unknown_since: at };
  const retried = { ...demand, status: 'processing' };

  it.each([
    ['reverses a late approval', abandoned, approved, 'reverse'],
    ['ends with a confirmed reversal', reversing, { result: 'reversed' }, 'undo'],
    ['ends with a confirmed cancellation', abandoned, { result: 'reversed' }, 'undo'],
    ['can be closed again while it is reversed', reversing, { result: 'closed' }, 'undo'],
  ] as const)('%s, and leaves its payment alone', (_, attempt, result, trigger) => {
    const changes = decide(attempt, retried, result);
    expect(changes?.attempt.trigger).toBe(trigger);
    expect(changes?.demand).toEqual({ set: {}, events: [] });
  });

  it('repeats its reversal until it is confirmed', () => {
    const unresolved = { result: 'unresolved', why: 'no answer', next: now + 1 } as const;
    const changes = decide(reversing, retried, unresolved);
    expect(changes?.attempt.set).toMatchObject({ due_at: instantText(now + 1), inquiries: '5' });
    expect(changes?.demand.set).toEqual({});
  });

  it.each([
    { result: 'declined', code: 'generic_decline', ...checks },
    { result: 'given_up' },
    { result: 'not_found', arrives_in_ms: 0 },
    { result: 'unknown', why: 'timeout' },
  ] as const)('ignores the result $result', (result) => {
    expect(decide(abandoned, retried, result)).toBeUndefined();
    expect(decide(reversing, retried, result)).toBeUndefined();
  });
});
