import { describe, expect, it } from 'vitest';
import { checksOfAdyen } from './checks.ts';
import { adyenAnswers } from './map-answer.ts';
import { refusalOfAdyen } from './refusals.ts';

const answered = (status: number, body: unknown, headers?: Record<string, string>) => ({
  outcome: 'answered' as const,
  status,
  body,
  ...(headers && { headers }),
});
const authorise = (status: number, body: unknown, headers?: Record<string, string>) =>
  adyenAnswers.authorise(answered(status, body, headers));

const PSP = '993617895204576J';

describe('an answer to an authorisation', () => {
  it.each([
    ['Authorised', 'approved'],
    ['Refused', 'declined'],
    ['Cancelled', 'declined'],
    ['Error', 'declined'],
    ['Received', 'pending'],
    ['Pending', 'pending'],
    ['RedirectShopper', 'declined'],
    ['IdentifyShopper', 'declined'],
    ['ChallengeShopper', 'declined'],
    ['PartiallyAuthorised', 'unknown'],
    ['PresentToShopper', 'unknown'],
    ['AuthenticationFinished', 'unknown'],
    ['AuthenticationNotRequired', 'unknown'],
    ['Success', 'unknown'],
    ['SomethingNew', 'unknown'],
    [undefined, 'unknown'],
  ])('with the result %s is %s', (resultCode, result) => {
    expect(authorise(200, { pspReference: PSP, resultCode }).result).toBe(result);
  });

  it('an error has no advice, since an approval may still be notified', () => {
    expect(authorise(200, { resultCode: 'Error', refusalReasonCode: '4' })).toMatchObject({
      code: 'generic_decline',
      codes: { refusalReasonCode: '4' },
    });
    expect(authorise(200, { resultCode: 'Error' })).not.toHaveProperty('advice');
  });

  it('a challenge that nobody asked for fails the authentication', () => {
    expect(authorise(200, { resultCode: 'RedirectShopper', action: {} })).toMatchObject({
      code: 'authentication_failed',
      advice: 'authenticate',
    });
  });

  it('an approval without a reference is unknown, since nobody could capture it', () => {
    expect(authorise(200, { resultCode: 'Authorised' }).result).toBe('unknown');
  });

  it('needs no reference of ours, but never another one', () => {
    const payment = { resultCode: 'Authorised', pspReference: PSP };
    const resultOf = (body: object) => adyenAnswers.authorise(answered(200, body), 'ours').result;
    expect(resultOf(payment)).toBe('approved');
    expect(resultOf({ ...payment, merchantReference: 'ours' })).toBe('approved');
    expect(resultOf({ ...payment, merchantReference: 'other' })).toBe('unknown');
  });

  it.each([
    ['EUR', 1_000, 1_000],
    ['CLP', 100_000, 1_000],
    ['IDR', 10_000, 1_000_000],
  ])('a part of an amount in %s is read in its minor units', (currency, units, approvedAmount) => {
    const additionalData = {
      authorisedAmountValue: String(units),
      authorisedAmountCurrency: currency,
    };
    const payment = { pspReference: PSP, additionalData, amount: { value: units * 2, currency } };
    const expected = { result: 'partly_approved', approvedAmount, processor_reference: PSP };
    const whole = { ...payment, amount: { value: units, currency } };
    expect(authorise(200, { ...whole, resultCode: 'PartiallyAuthorised' })).toMatchObject(expected);
    expect(authorise(200, { ...payment, resultCode: 'Authorised' })).toMatchObject(expected);
    expect(
      authorise(200, { ...whole, resultCode: 'Authorised', refusalReasonCode: '30' }),
    ).toMatchObject(expected);
    expect(authorise(200, { ...whole, resultCode: 'Authorised' }).result).toBe('approved');
  });

  it.each([
    ['a twin in progress', 422, { errorCode: '704', errorType: 'validation' }, 'unknown'],
    ['a twin in progress', 409, { errorCode: '704' }, 'unknown'],
    ['a conflict', 409, null, 'unknown'],
    ['a time-out', 408, null, 'unknown'],
    ['an invalid message without a code', 422, {}, 'unknown'],
    ['an internal error', 422, { errorCode: '905', errorType: 'internal' }, 'unknown'],
    ['an internal error', 500, { errorCode: '905', errorType: 'internal' }, 'unknown'],
    ['a lost store of keys', 503, { errorCode: '703', errorType: 'internal' }, 'unknown'],
    ['an error of setup', 500, { errorCode: '905', errorType: 'configuration' }, 'declined'],
    ['a wrong amount', 422, { errorCode: '100', errorType: 'validation' }, 'declined'],
    ['a newer error format', 422, { errorCode: '14_030', title: 'Missing' }, 'declined'],
    ['a rate limit', 429, { errorCode: '705' }, 'declined'],
  ])('%s with status %i and %j is %s', (_, status, body, result) => {
    expect(authorise(status, body).result).toBe(result);
  });

  it.each([
    ['101', 'invalid_card', 'update_card'],
    ['102', 'invalid_card', 'update_card'],
    ['103', 'incorrect_cvc', 'update_card'],
    ['129', 'expired_card', 'update_card'],
    ['104', 'card_not_verified', undefined],
    ['135', 'card_not_verified', undefined],
    ['177', 'processor_unreachable', 'try_another_processor'],
  ])('a message that is refused with %s fails as %s, with advice %s', (errorCode, code, advice) => {
    const result = authorise(422, { errorCode, errorType: 'validation' });
    expect(result).toMatchObject({ result: 'declined', code });
    expect(result.result === 'declined' && result.advice).toBe(advice);
  });

  it('a passing fault charges nothing, whatever its status', () => {
    const passing = { 'transient-error': 'true' };
    expect(authorise(500, { errorType: 'internal' }, passing)).toMatchObject({
      code: 'processor_unreachable',
      advice: 'try_later',
    });
    expect(authorise(500, { errorType: 'internal' }, { 'transient-error': 'false' }).result).toBe(
      'unknown',
    );
  });

  it.each([
    ['constructor'],
    ['__proto__'],
    [['05']],
    [7],
    [{ toString: 1 }],
    ['\0'],
    ['x'.repeat(5_000)],
  ])('keeps its result for additional data of the kind %j', (value) => {
    const names =
      'authCode networkTxReference avsResult cvcResult refusalReasonRaw merchantAdviceCode'.split(
        ' ',
      );
    const additionalData = Object.fromEntries(names.map((name) => [name, value]));
    for (const [resultCode, result] of [
      ['Authorised', 'approved'],
      ['Refused', 'declined'],
    ]) {
      const mapped = authorise(200, { pspReference: PSP, resultCode, additionalData });
      expect(mapped.result).toBe(result);
      expect(JSON.stringify(mapped).length).toBeLessThan(600);
    }
  });
});

describe('an answer to a capture, refund or reversal', () => {
  it.each([
    ['a passing fault', answered(500, null, { 'transient-error': 'true' }), 'not_sent'],
    ['a rate limit', answered(429, { errorCode: '705' }), 'not_sent'],
    ['a twin in progress', answered(422, { errorCode: '704' }), 'unknown'],
    ['a wrong amount', answered(422, { errorCode: '137', errorType: 'validation' }), 'refused'],
    ['another status', answered(201, { status: 'done' }), 'unknown'],
    ['a receipt with another status', answered(200, { status: 'received' }), 'unknown'],
    ['a receipt', answered(201, { status: 'received' }), 'pending'],
  ])('%s: %j', (_, answer, result) => {
    expect(adyenAnswers.capture(answer).result).toBe(result);
    expect(adyenAnswers.refund(answer).result).toBe(result);
    expect(adyenAnswers.reverse(answer).result).toBe(result);
  });
});

it.each([
  [200, {}, 'accepted', undefined],
  [401, { errorCode: '000' }, 'refused', 'the API key is wrong'],
  [403, { errorCode: '010' }, 'refused', 'the API key lacks the role Checkout webservice'],
  [403, { errorCode: '901' }, 'refused', 'the API key may not use this merchant account'],
  [404, null, 'refused', 'the address is wrong'],
  [422, { errorCode: '158' }, 'refused', 'Adyen answered 422, error 158'],
  [503, null, 'unknown', 'Adyen answered 503.'],
])('a check that is answered with %i and %j is %s', (status, body, result, why) => {
  expect(adyenAnswers.check(answered(status, body))).toEqual({ result, ...(why && { why }) });
});

it.each([
  ['2', 'generic_decline', 'try_later'],
  ['3', 'generic_decline', undefined],
  ['4', 'generic_decline', 'try_another_processor'],
  ['5', 'always_blocked', 'update_card'],
  ['6', 'expired_card', 'update_card'],
  ['8', 'invalid_card', 'update_card'],
  ['11', 'authentication_failed', 'authenticate'],
  ['12', 'insufficient_funds', 'try_later'],
  ['14', 'highest_risk', 'final'],
  ['20', 'highest_risk', 'final'],
  ['24', 'incorrect_cvc', 'update_card'],
  ['26', 'generic_decline', 'final'],
  ['28', 'insufficient_funds', 'try_later'],
  ['29', 'velocity_exceeded', 'try_later'],
  ['32', 'card_not_verified', 'update_card'],
  ['38', 'authentication_failed', 'authenticate'],
  ['42', 'authentication_failed', 'try_later'],
  ['46', 'always_blocked', 'final'],
  ['99', 'generic_decline', undefined],
  ['constructor', 'generic_decline', undefined],
])('refusal reason %s is %s, with advice %s', (refusalReasonCode, code, advice) => {
  expect(refusalOfAdyen({ refusalReasonCode })).toEqual({ code, ...(advice && { advice }) });
});

it.each([
  ['lost', { refusalReasonCode: '5', refusalReasonRaw: '41 : Lost card' }, 'lost_card', 'final'],
  ['stolen', { refusalReasonCode: '5', refusalReasonRaw: '43 : Stolen' }, 'stolen_card', 'final'],
  [
    'CVV',
    { refusalReasonCode: '2', refusalReasonRaw: 'N7 : CVV2' },
    'incorrect_cvc',
    'update_card',
  ],
  [
    'a text without a code',
    { refusalReasonCode: '6', refusalReasonRaw: 'DECLINED Expired Card' },
    'expired_card',
    'update_card',
  ],
  [
    'new account data',
    { refusalReasonCode: '2', merchantAdviceCode: '01 : New account information available' },
    'generic_decline',
    'update_card',
  ],
  [
    'never again',
    { refusalReasonCode: '12', merchantAdviceCode: '03 : Do not try again' },
    'insufficient_funds',
    'final',
  ],
  ['a name', { reason: 'Not enough balance' }, 'insufficient_funds', 'try_later'],
  ['a name in capitals', { reason: 'FRAUD-CANCELLED' }, 'highest_risk', 'final'],
  ['another name', { reason: 'Something else' }, 'generic_decline', undefined],
])('a refusal with %s', (_, facts, code, advice) => {
  expect(refusalOfAdyen(facts)).toEqual({ code, ...(advice && { advice }) });
});

/** Address line and postal code by number of `avsResult`: match, mismatch, unverified. */
const avsTable: Readonly<Record<string, readonly number[]>> = {
  'match mismatch': [1],
  'mismatch mismatch': [2, 26],
  'mismatch match': [6],
  'match match': [7, 20, 24],
  'match unverified': [9, 12, 21, 25],
  'mismatch unverified': [10, 13],
  'unverified match': [14, 15, 19, 23],
  'unverified mismatch': [16, 17],
  'unverified unverified': [0, 3, 4, 5, 8, 11, 18, 22],
};

describe.each(Object.entries(avsTable))('an address check of %s', (expected, numbers) => {
  it.each(numbers)('has the number %i', (number) => {
    const checks = checksOfAdyen(`${number} Some text`, undefined);
    expect(`${checks.address_line1_verification} ${checks.postal_code_verification}`).toBe(
      expected,
    );
  });
});

it.each([
  ['1 Matches', 'match'],
  ["2 Doesn't match", 'mismatch'],
  ['0 Unknown', 'unprocessed'],
  ['4 No CVC/CVV provided, but was required', 'unprocessed'],
  ['6 No CVC/CVV provided', 'unprocessed'],
  ['Matches', 'unprocessed'],
  ['123', 'unprocessed'],
  [undefined, 'unprocessed'],
])('the value check %s is %s', (cvcResult, expected) => {
  expect(checksOfAdyen(undefined, cvcResult).cvc2_check).toBe(expected);
});
