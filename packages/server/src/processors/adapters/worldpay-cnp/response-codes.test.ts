import { describe, expect, it } from 'vitest';
import { cnpAnswers } from './map-answer.ts';
import { adviceOfCode, declineOfCode } from './response-codes.ts';

const answerWith = (response: string, members: object = {}) => ({
  outcome: 'answered' as const,
  status: 200,
  body: {
    cnpOnlineResponse: {
      '@response': '0',
      saleResponse: { '@id': 'id', cnpTxnId: '84568456', response, ...members },
    },
  },
});
const resultOf = (response: string) => cnpAnswers.authorise(answerWith(response), 'id').result;
const allCodes = Array.from({ length: 1_000 }, (_, code) => String(code).padStart(3, '0'));

describe('response codes', () => {
  it('approve in whole, in part, or later, and only these', () => {
    const codesOf = (result: string) => allCodes.filter((code) => resultOf(code) === result);
    expect(codesOf('approved')).toEqual(['000', '141', '142']);
    expect(codesOf('pending')).toEqual(['001', '015']);
    expect(cnpAnswers.authorise(answerWith('010', { approvedAmount: '5' }), 'id')).toMatchObject({
      result: 'partly_approved',
      approvedAmount: 5,
    });
  });

  it.each([
    ['110', 'insufficient_funds', 'try_later'],
    ['213', 'lost_card', 'final'],
    ['214', 'stolen_card', 'final'],
    ['226', 'incorrect_cvc', 'update_card'],
    ['301', 'invalid_card', 'update_card'],
    ['305', 'expired_card', 'update_card'],
    ['318', 'blocked', undefined],
    ['321', 'processor_unreachable', 'try_another_processor'],
    ['350', 'generic_decline', undefined],
    ['355', 'velocity_exceeded', 'try_later'],
    ['370', 'processor_unreachable', undefined],
    ['555', 'highest_risk', 'final'],
    ['565', 'always_blocked', 'final'],
    ['664', 'authentication_failed', 'authenticate'],
  ])('%s is %s, with the advice %s', (code, decline, advice) => {
    expect([declineOfCode(code), adviceOfCode(code)]).toEqual([decline, advice]);
  });

  it('with advice are declines', () => {
    const advised = allCodes.filter((code) => adviceOfCode(code) !== undefined);
    expect(advised.filter((code) => declineOfCode(code) === undefined)).toEqual([]);
    expect(advised.length).toBeGreaterThan(70);
  });

  it.each(['251', '252', '363', '999', '', '0', 'abc', '0000'])(
    'such as %j decide nothing',
    (code) => {
      expect(resultOf(code)).toBe('unknown');
    },
  );
});

it.each([
  ['00', 'match', 'match'],
  ['10', 'mismatch', 'match'],
  ['12', 'match', 'mismatch'],
  ['14', 'unverified', 'match'],
  ['20', 'mismatch', 'mismatch'],
  ['34', 'unverified', 'unverified'],
])('avsResult %s is %s of the line and %s of the postal code', (avsResult, line, postalCode) => {
  const answer = answerWith('110', { fraudResult: { avsResult, cardValidationResult: 'N' } });
  expect(cnpAnswers.authorise(answer, 'id')).toMatchObject({
    address_line1_verification: line,
    postal_code_verification: postalCode,
    cvc2_check: 'mismatch',
  });
});

describe('the check of credentials', () => {
  const checkWith = (response: string) =>
    cnpAnswers.check({
      outcome: 'answered',
      status: 200,
      body: { cnpOnlineResponse: { '@response': '0', queryTransactionResponse: { response } } },
    });
  it.each([
    ['151', { result: 'accepted' }],
    ['153', { result: 'refused', why: expect.stringContaining('query transactions') }],
    ['370', { result: 'unknown', why: 'Worldpay answered with code 370.' }],
  ])('with %s is %j', (code, expected) => {
    expect(checkWith(code)).toEqual(expected);
  });
  it('names a wrong login', () => {
    const body = { cnpOnlineResponse: { '@response': '3' } };
    expect(cnpAnswers.check({ outcome: 'answered', status: 200, body })).toEqual({
      result: 'refused',
      why: 'the user, the password or the merchant id is wrong',
    });
  });
});

it('a query that shows a payment with another id tells nothing', () => {
  const payment = { '@id': 'another', cnpTxnId: '84568456', response: '000' };
  const body = {
    cnpOnlineResponse: {
      '@response': '0',
      queryTransactionResponse: {
        '@id': 'qid',
        response: '150',
        results_max10: { saleResponse: payment },
      },
    },
  };
  const answer = { outcome: 'answered' as const, status: 200, body };
  expect(cnpAnswers.inquire?.(answer, 'id').result).toBe('unknown');
  payment['@id'] = 'id';
  expect(cnpAnswers.inquire?.(answer, 'id').result).toBe('approved');
});
