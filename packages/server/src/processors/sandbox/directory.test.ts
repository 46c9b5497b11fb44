import type { AuthenticationAnswer } from '@florin/contract/protocol/network.ts';
import { describe, expect, it } from 'vitest';
import { issuerUnavailableResult } from '../port/directory.ts';
import { createSandboxDirectory } from './directory.ts';

const directory = createSandboxDirectory('http://network.example');
const mapAuthentication = (status: number, body: unknown) =>
  directory.authenticate.mapAnswer({ outcome: 'answered', status, body });

const validAnswer: AuthenticationAnswer = {
  enrolled: true,
  trans_status: 'Y',
  message_version: '2.2.0',
  ds_trans_id: '01935f00-0000-7000-8000-00000000000d',
  acs_trans_id: '01935f00-0000-7000-8000-00000000000a',
  eci: '05',
  cavv: 'AAABBBCCC',
};
const { cavv, ...answerWithoutCryptogram } = validAnswer;
const { ds_trans_id, ...answerWithoutTransaction } = validAnswer;
/** EMV 3-D Secure's message for a request that cannot be processed. */
const erroMessage = { messageType: 'Erro', messageVersion: '2.2.0', errorCode: '203' };
const TOO_LONG = 'x'.repeat(2_000);

describe('an answer of the directory server (ARes)', () => {
  it('that authenticates the card has its proof', () => {
    expect(mapAuthentication(200, validAnswer)).toMatchObject({
      result: 'authenticated',
      cryptogram: cavv,
    });
  });

  it.each<[string, number, unknown]>([
    ['that is an Erro message', 200, erroMessage],
    ['that is an Erro message with a status of its own', 400, erroMessage],
    ['of another version of the protocol', 200, { ...validAnswer, message_version: '1.0.2' }],
    ['of a version that is none', 200, { ...validAnswer, message_version: 2 }],
    ['with a status that nobody knows', 200, { ...validAnswer, trans_status: 'Z' }],
    ['without a status', 200, { ...validAnswer, trans_status: undefined }],
    ['that says Y without a cryptogram', 200, answerWithoutCryptogram],
    ['that says A without a cryptogram', 200, { ...answerWithoutCryptogram, trans_status: 'A' }],
    ['that says Y without naming its transaction', 200, answerWithoutTransaction],
    ['with a transaction id that is none', 200, { ...validAnswer, ds_trans_id: '<script>' }],
    ['with an indicator that is none', 200, { ...validAnswer, eci: { $gt: '' } }],
    ['with an oversized cryptogram', 200, { ...validAnswer, cavv: TOO_LONG }],
    ['that is no object', 200, [validAnswer]],
    ['that is a text', 200, '<html>Maintenance</html>'],
    ['that is empty', 200, undefined],
    ['of a server at fault', 503, validAnswer],
  ])('%s is invalid', (_, status, body) => {
    expect(mapAuthentication(status, body)).toEqual(issuerUnavailableResult);
  });

  it('that was lost is invalid', () => {
    const mappedResult = directory.authenticate.mapAnswer({ outcome: 'lost', why: 'timeout' });
    expect(mappedResult).toEqual(issuerUnavailableResult);
  });

  it.each([
    ['without a page of the bank', undefined],
    ['with a page that is no web address', 'javascript:alert(1)'],
    ['with an oversized address', `https://bank.example/${TOO_LONG}`],
  ])('that asks for a challenge %s has none', (_, acs_url) => {
    const answer = mapAuthentication(200, {
      ...answerWithoutCryptogram,
      trans_status: 'C',
      acs_url,
    });
    expect(answer).toMatchObject({ result: 'challenge' });
    expect(answer).not.toHaveProperty('acs_url');
  });
});

describe('a result of the directory server (RReq)', () => {
  const result = {
    reference: '01935f00-0000-7000-8000-000000000001',
    ds_trans_id: validAnswer.ds_trans_id,
    acs_trans_id: validAnswer.acs_trans_id,
    message_version: '2.2.0',
    trans_status: 'Y',
    eci: '05',
    cavv: 'AAAA',
  };
  const readChangedResult = (change: object) => directory.readOutcome({ ...result, ...change });

  it.each<[string, unknown]>([
    ['an Erro message', erroMessage],
    ['of another version', { ...result, message_version: '2.1.9' }],
    ['with an unknown status', { ...result, trans_status: 'Z' }],
    ['with the status C', { ...result, trans_status: 'C' }],
    ['without a status', { ...result, trans_status: undefined }],
    ['without a reference', { ...result, reference: undefined }],
  ])('%s is not read', (_, message) => {
    expect(directory.readOutcome(message)).toBeUndefined();
  });

  it.each<[string, object, string, string?]>([
    ['Y', {}, 'authenticated'],
    ['Y without a cryptogram', { cavv: undefined }, 'unavailable'],
    ['Y with a cryptogram that is none', { cavv: ['A'] }, 'unavailable'],
    ['broken off', { trans_status: 'U', challenge_cancel: '06' }, 'unavailable', 'error'],
    ['U', { trans_status: 'U' }, 'unavailable'],
    ['R', { trans_status: 'R' }, 'rejected'],
    ['cancelled', { trans_status: 'N', challenge_cancel: '01' }, 'rejected', 'cardholder'],
    ['timed out', { trans_status: 'U', challenge_cancel: '04' }, 'unavailable', 'timeout'],
    ['never opened', { trans_status: 'U', challenge_cancel: '05' }, 'unavailable', 'timeout'],
  ])('%s has its meaning', (_, change, meaning, cancel) => {
    const outcome = readChangedResult(change);
    expect([outcome?.result, outcome?.cancel]).toEqual([meaning, cancel]);
    expect(outcome?.cryptogram).toBe(meaning === 'authenticated' ? 'AAAA' : undefined);
  });

  it('without an ACS transaction id has no acs_transaction_eid', () => {
    expect(readChangedResult({ acs_trans_id: undefined })).not.toHaveProperty(
      'acs_transaction_eid',
    );
  });
});
