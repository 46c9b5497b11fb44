import { describe, expect, it } from 'vitest';
import { checksOfSource } from './checks.ts';
import { checkoutAnswers } from './map-answer.ts';
import { checkoutMetadata } from './metadata.ts';
import { checkoutAdviceOf, checkoutDeclineOf } from './response-codes.ts';

const authorise = (status: number, body: unknown) =>
  checkoutAnswers.authorise({ outcome: 'answered', status, body });

describe('an answer to an authorisation', () => {
  it.each([
    ['a hosted challenge', 202, { id: 'pay_1', status: 'Pending' }, 'pending'],
    ['a retry by Checkout.com', 201, { id: 'pay_1', status: 'Retry Scheduled' }, 'pending'],
    ['a capture that nobody asked for', 201, { approved: true, status: 'Captured' }, 'unknown'],
    ['an approval without a status', 201, { id: 'pay_1', approved: true }, 'unknown'],
    ['a decline that says approved', 201, { approved: true, status: 'Declined' }, 'unknown'],
    ['an approval without an id', 201, { approved: true, status: 'Authorized' }, 'unknown'],
    ['a twin in flight', 429, null, 'unknown'],
    ['a conflict', 409, null, 'unknown'],
  ])('%s is %s %s %s', (_, status, body, result) => {
    expect(authorise(status, body).result).toBe(result);
  });

  it.each([
    ['EUR', 1_000, 1_000],
    ['CLP', 100_000, 1_000],
    ['JPY', 1_000, 1_000],
  ])('a part of an amount in %s is read in its minor units', (currency, amount, approvedAmount) => {
    const payment = { id: 'pay_1', approved: true, status: 'Authorized', currency };
    expect(authorise(201, { ...payment, amount, amount_requested: amount * 2 })).toEqual({
      result: 'partly_approved',
      approvedAmount,
      processor_reference: 'pay_1',
    });
    expect(authorise(201, { ...payment, amount: '1', amount_requested: 2 }).result).toBe('unknown');
  });

  it('approves with the code of a risk rule, which only flags the payment', () => {
    const payment = { id: 'pay_1', approved: true, status: 'Authorized', response_code: '40101' };
    expect(authorise(201, payment).result).toBe('approved');
  });
});

it.each([
  ['20051', undefined, 'insufficient_funds', 'try_later'],
  ['200N7', undefined, 'incorrect_cvc', 'update_card'],
  ['2005C', undefined, 'always_blocked', 'final'],
  ['20154', undefined, 'authentication_failed', 'authenticate'],
  ['20068', undefined, 'generic_decline', 'try_another_processor'],
  ['20033', undefined, 'generic_decline', 'try_another_processor'],
  ['30015', undefined, 'invalid_card', 'final'],
  ['30099', undefined, 'generic_decline', 'final'],
  ['20099', undefined, 'generic_decline', undefined],
  ['20099', '02', 'generic_decline', 'try_later'],
  ['20051', '03', 'insufficient_funds', 'final'],
  ['40101', undefined, 'highest_risk', undefined],
  ['40155', undefined, 'velocity_exceeded', 'try_later'],
  ['40205', undefined, 'blocked', undefined],
  ['43206', undefined, 'blocked', undefined],
  ['49999', undefined, 'highest_risk', undefined],
  ['constructor', undefined, 'generic_decline', undefined],
])(
  'code %s with recommendation %s is %s, with advice %s',
  (code, recommendation, decline, advice) => {
    expect([checkoutDeclineOf(code), checkoutAdviceOf(code, recommendation)]).toEqual([
      decline,
      advice,
    ]);
  },
);

it.each([
  ['Y', 'Y', ['match', 'match', 'match']],
  ['A', 'D', ['mismatch', 'match', 'mismatch']],
  ['Z', 'N', ['unprocessed', 'mismatch', 'match']],
  ['AE5', 'P', ['unprocessed', 'mismatch', 'match']],
  ['P', 'M', ['unprocessed', 'unverified', 'match']],
  ['S', undefined, ['unprocessed', 'unverified', 'unverified']],
])('address check %s and value check %s', (avs, cvv, expected) => {
  const checks = checksOfSource(avs, cvv);
  expect([
    checks.cvc2_check,
    checks.address_line1_verification,
    checks.postal_code_verification,
  ]).toEqual(expected);
});

it.each([
  ['EUR', 999_999_999, true],
  ['EUR', 1_000_000_000, false],
  ['KWD', 1_230, true],
  ['KWD', 1_234, false],
  ['CLP', 9_999_999, true],
  ['CLP', 10_000_000, false],
])('an amount in %s of %i can be taken: %s', (currency, amount, isTaken) => {
  expect(checkoutMetadata.takesAmount?.({ currency, amount })).toBe(isTaken);
});

it.each([
  ['live', 'https://abcd1234.api.checkout.com', undefined],
  ['live', 'https://abcd1234.api.sandbox.checkout.com', 'sandbox address'],
  ['live', 'http://127.0.0.1:4100/checkout-com', 'must begin with https'],
  ['sandbox', 'https://abcd1234.api.checkout.com', 'live address'],
  ['sandbox', 'http://127.0.0.1:4100/checkout-com', undefined],
] as const)('an account of %s mode with %s', (mode, api_url, why) => {
  const refusal = checkoutMetadata.refusalOf?.({ mode, settings: { api_url } });
  if (why) expect(refusal).toContain(why);
  else expect(refusal).toBeUndefined();
});
