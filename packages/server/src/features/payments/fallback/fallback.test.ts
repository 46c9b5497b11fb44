import {
  type DeclineAdvice,
  type DeclineCode,
  declineAdvices,
} from '@florin/contract/decline-codes.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import type { Fallback } from '../../../processors/routing-rule.ts';
import { type AttemptResult, decidePaymentOutcome } from '../decide-outcome.ts';
import {
  FALLBACK_SECONDS_MAX,
  type FallbackStep,
  fallbackOf,
  nextCandidate,
  stepOf,
} from './fallback.ts';

const now = 1_795_232_640_000_000;
const demand: Row = { status: 'processing', amount_cents: '2500', unsent_count: '0' };
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;

const createAttempt = (fallback: Fallback, columns: Row = {}): Row => ({
  id: 'attempt-a',
  status: 'sending',
  inquiries: '0',
  processor_account_id: 'a',
  created_at: instantText(now),
  not_after: instantText(now),
  route: JSON.stringify({ rule: 'r', candidates: ['a', 'b'], fallback, refused: [] }),
  ...columns,
});
const declinedBy = (code: DeclineCode, advice?: DeclineAdvice): AttemptResult => ({
  result: 'declined',
  code,
  ...(advice && { advice }),
  ...checks,
});
const unsentBy = (why: string): AttemptResult => ({ result: 'not_sent', why });
const approved: AttemptResult = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: 'N1',
  ...checks,
};

/** Columns of the payment after a result: the step to another account, and when the payment is due. */
function demandAfter(attempt: Row, result: AttemptResult, columns: Row = {}): Row {
  const changes = decidePaymentOutcome(attempt, { ...demand, ...columns }, result, now);
  return { trigger: changes?.demand.trigger ?? null, ...changes?.demand.set };
}
const asksAnother = (attempt: Row, result: AttemptResult, columns: Row = {}): boolean =>
  !!demandAfter(attempt, result, columns).fallback_after;

const stepAfter = (result: FallbackStep['result'], why: string): Row => ({
  fallback_after: JSON.stringify({ account: 'a', attempt: 'attempt-a', result, why }),
});

describe('a decline', () => {
  it.each(declineAdvices)(
    'with the advice %s asks another account only where the rule says so',
    (advice) => {
      const isAllowed = advice === 'try_another_processor' || advice === 'try_later';
      const result = declinedBy('insufficient_funds', advice);
      expect(asksAnother(createAttempt('declined'), result)).toBe(isAllowed);
      expect(asksAnother(createAttempt('not_sent'), result)).toBe(false);
      expect(asksAnother(createAttempt('none'), result)).toBe(false);
    },
  );

  const result = declinedBy('insufficient_funds', 'try_later');
  it.each<[string, Row, Row]>([
    [
      'without another candidate',
      { route: JSON.stringify({ candidates: ['a'], fallback: 'declined' }) },
      {},
    ],
    ['at the simulated network without a rule', { route: null, processor_account_id: null }, {}],
    ['by the second account', { processor_account_id: 'b' }, stepAfter('declined', 'x')],
    ['that is known late', { created_at: instantText(now - seconds(FALLBACK_SECONDS_MAX)) }, {}],
  ])('%s is final', (_, attempt, columns) => {
    const after = demandAfter(createAttempt('declined', attempt), result, columns);
    expect([after.trigger, after.failure_reason]).toEqual(['decline', 'insufficient_funds']);
  });

  it('without advice is final', () => {
    expect(asksAnother(createAttempt('declined'), declinedBy('generic_decline'))).toBe(false);
  });

  it('that an inquiry finds in time asks another account', () => {
    expect(asksAnother(createAttempt('declined', { status: 'unknown' }), result)).toBe(true);
  });

  it('makes the payment due at once, and marks its attempt', () => {
    const changes = decidePaymentOutcome(createAttempt('declined'), demand, result, now);
    const { set, ...decision } = changes?.demand ?? { set: {} };
    expect(decision).toEqual({ trigger: 'requeue', events: [] });
    expect(set).toMatchObject({ due_at: instantText(now), outcome: null, cvc2_check: 'match' });
    expect(stepOf(set)).toEqual({
      account: 'a',
      attempt: 'attempt-a',
      result: 'declined',
      why: 'insufficient_funds',
    });
    expect(changes?.attempt).toMatchObject({
      trigger: 'decline',
      set: { decline_code: 'insufficient_funds', abandoned_at: instantText(now) },
    });
  });
});

describe('a message that was not sent', () => {
  it.each<[string, Fallback, boolean]>([
    ['connection_failed', 'not_sent', true],
    ['origin_unreachable', 'declined', true],
    ['credential_missing', 'not_sent', true],
    ['connection_failed', 'none', false],
    ['too_late', 'declined', false],
    ['record_unreadable', 'declined', false],
    ['vault_busy', 'declined', false],
    ['vault_unreached', 'declined', false],
    ['cvv_missing', 'declined', false],
    ['unknown_token', 'declined', false],
  ])('because of %s, with the fallback %s, asks another account: %s', (why, fallback, expected) => {
    expect(asksAnother(createAttempt(fallback), unsentBy(why))).toBe(expected);
  });

  it('by neither account waits, and begins with the first again', () => {
    const attempt = createAttempt('not_sent', { processor_account_id: 'b' });
    const step = stepAfter('not_sent', 'connection_failed');
    const after = demandAfter(attempt, unsentBy('connection_failed'), {
      ...step,
      unsent_count: '1',
    });
    expect([after.trigger, after.fallback_after]).toEqual(['requeue', null]);
    expect((after.due_at as string) > instantText(now)).toBe(true);
  });

  it.each<[string, string, string | undefined]>([
    ['fails with the decline of the first', 'connection_failed', 'insufficient_funds'],
    ['waits while the vault is away', 'vault_unreached', undefined],
    ['waits if the vault was late', 'too_late', undefined],
  ])('by the second account after a decline %s', (_, why, failure) => {
    const attempt = createAttempt('declined', { processor_account_id: 'b' });
    const after = demandAfter(attempt, unsentBy(why), stepAfter('declined', 'insufficient_funds'));
    expect([after.trigger, after.failure_reason]).toEqual(
      failure ? ['decline', failure] : ['requeue', undefined],
    );
    expect(after.fallback_after).toBeUndefined();
  });
});

it.each<AttemptResult>([
  { result: 'unknown', why: 'timeout' },
  { result: 'pending' },
  { result: 'partly_approved', approvedAmount: 1 },
  { result: 'not_found', arrives_in_ms: 0 },
  { result: 'unresolved', why: 'no answer' },
])('the result $result never asks another account', (result) => {
  for (const status of ['sending', 'unknown'])
    expect(asksAnother(createAttempt('declined', { status }), result)).toBe(false);
});

it.each<[string, AttemptResult, string]>([
  ['that the second account could not judge', declinedBy('processor_unreachable'), 'stolen_card'],
  ['that the second account declines', declinedBy('expired_card'), 'expired_card'],
])('a payment %s fails with the code of the account that knew best', (_, result, code) => {
  const attempt = createAttempt('declined', { processor_account_id: 'b' });
  const after = demandAfter(attempt, result, stepAfter('declined', 'stolen_card'));
  expect(after.failure_reason).toBe(code);
});

describe('the next account', () => {
  const step = (result: FallbackStep['result']): FallbackStep => ({
    account: 'a',
    attempt: 'attempt-a',
    result,
    why: 'x',
  });
  it.each<[string, readonly string[], Fallback, FallbackStep | undefined, string | undefined]>([
    ['is the first candidate', ['a', 'b'], 'declined', undefined, 'a'],
    ['is the other one after a decline', ['a', 'b'], 'declined', step('declined'), 'b'],
    ['is the other one, whatever rules say now', ['c', 'a'], 'declined', step('declined'), 'c'],
    [
      'is none if the rule no longer allows it',
      ['a', 'b'],
      'not_sent',
      step('declined'),
      undefined,
    ],
    ['is none if no other is left', ['a'], 'declined', step('declined'), undefined],
    ['is the other one after an unsent message', ['a', 'b'], 'not_sent', step('not_sent'), 'b'],
    ['is the same one if no other is left', ['a'], 'not_sent', step('not_sent'), 'a'],
    ['is the first one without fallback', ['a', 'b'], 'none', step('not_sent'), 'a'],
    ['is none without candidates', [], 'declined', step('not_sent'), undefined],
  ])('%s', (_, candidates, fallback, after, expected) => {
    expect(nextCandidate({ candidates, fallback }, after)).toBe(expected);
  });
});

describe('a second message after a decline', () => {
  const withCvv: Row = { card_cvv_token: 'cvv' };
  it.each<[string, Row, Row, Fallback]>([
    ['without the payer is as strong', { initiator: 'merchant' }, withCvv, 'declined'],
    ['of an authenticated payer is as strong', { threeds_status: 'Y' }, withCvv, 'declined'],
    ['of an attempted authentication is as strong', { threeds_status: 'A' }, withCvv, 'declined'],
    ['without the verification value would be weaker', {}, withCvv, 'not_sent'],
    ['after a failed authentication would be weaker', { threeds_status: 'N' }, withCvv, 'not_sent'],
    ['without the cryptogram would be weaker', { threeds_status: 'wallet' }, {}, 'not_sent'],
    ['of a card that never had a value is as strong', {}, {}, 'declined'],
  ])('%s', (_, payment, method, expected) => {
    expect(fallbackOf('declined', payment, method)).toBe(expected);
    expect(fallbackOf('none', payment, method)).toBe('none');
  });
});

describe('an approval after a second account was asked', () => {
  const abandoned_at = instantText(now);
  const decide = (status: string, payment: string, result: AttemptResult) => {
    const attempt = createAttempt('declined', { status, abandoned_at });
    const changes = decidePaymentOutcome(attempt, { status: payment }, result, now);
    expect(changes?.demand ?? { set: {}, events: [] }).toEqual({ set: {}, events: [] });
    return changes?.attempt.trigger;
  };

  it.each(['pending', 'processing', 'succeeded', 'failed', 'authorised', 'disputed'])(
    'of a payment that is %s is reversed, and the payment stays',
    (payment) => expect(decide('declined', payment, approved)).toBe('reverse'),
  );
  it('is reversed until the processor acknowledges that', () => {
    const unresolved: AttemptResult = { result: 'unresolved', why: 'no answer' };
    expect(decide('reversing', 'succeeded', unresolved)).toBeUndefined();
    expect(decide('reversing', 'succeeded', { result: 'reversed' })).toBe('undo');
    expect(decide('reversing', 'succeeded', approved)).toBeUndefined();
  });
  it('is the only result that counts', () => {
    const others = [declinedBy('stolen_card'), unsentBy('x'), { result: 'reversed' } as const];
    for (const result of others) expect(decide('declined', 'succeeded', result)).toBeUndefined();
  });
});
