import type { AuthenticationAnswer } from '@florin/contract/protocol/network.ts';
import { describe, expect, it } from 'vitest';
import { issuerUnavailable } from '../directory.ts';
import { createSandboxDirectory } from './directory.ts';

const directory = createSandboxDirectory('http://network.example');
const answered = (status: number, body: unknown) =>
  directory.authenticate.mapAnswer({ outcome: 'answered', status, body });

const good: AuthenticationAnswer = {
  enrolled: true,
  trans_status: 'Y',
  message_version: '2.2.0',
  ds_trans_id: '01935f00-0000-7000-8000-00000000000d',
  acs_trans_id: '01935f00-0000-7000-8000-00000000000a',
  eci: '05',
  cavv: 'AAABBBCCC',
};
const { cavv, ...unproven } = good;
const { ds_trans_id, ...nameless } = good;
/** EMV 3-D Secure's message for a request that cannot be processed. */
const erro = { messageType: 'Erro', messageVersion: '2.2.0', errorCode: '203' };
const TOO_LONG = 'x'.repeat(2_000);

describe('an answer of the directory server (ARes)', () => {
  it('that authenticates the card has its proof', () => {
    expect(answered(200, good)).toMatchObject({ result: 'authenticated', cryptogram: cavv });
  });

  it.each<[string, number, unknown]>([
    ['that is an Erro message', 200, erro],
    ['that is an Erro message with a status of its own', 400, erro],
    ['of another version of the protocol', 200, { ...good, message_version: '1.0.2' }],
    ['of a version that is none', 200, { ...good, message_version: 2 }],
    ['with a status that nobody knows', 200, { ...good, trans_status: 'Z' }],
    ['without a status', 200, { ...good, trans_status: undefined }],
    ['that says Y without a cryptogram', 200, unproven],
    ['that says A without a cryptogram', 200, { ...unproven, trans_status: 'A' }],
    ['that says Y without naming its transaction', 200, nameless],
    ['with a transaction id that is none', 200, { ...good, ds_trans_id: '<script>' }],
    ['with an indicator that is none', 200, { ...good, eci: { $gt: '' } }],
    ['with an oversized cryptogram', 200, { ...good, cavv: TOO_LONG }],
    ['that is no object', 200, [good]],
    ['that is a text', 200, '<html>Maintenance</html>'],
    ['that is empty', 200, undefined],
    ['of a server at fault', 503, good],
  ])('%s is invalid', (_, status, body) => {
    expect(answered(status, body)).toEqual(issuerUnavailable);
  });

  it('that was lost is invalid', () => {
    const lost = directory.authenticate.mapAnswer({ outcome: 'lost', why: 'timeout' });
    expect(lost).toEqual(issuerUnavailable);
  });

  it.each([
    ['without a page of the bank', undefined],
    ['with a page that is no web address', 'javascript:alert(1)'],
    ['with an oversized address', `https://bank.example/${TOO_LONG}`],
  ])('that asks for a challenge %s has none', (_, acs_url) => {
    const answer = answered(200, { ...unproven, trans_status: 'C', acs_url });
    expect(answer).toMatchObject({ result: 'challenge' });
    expect(answer).not.toHaveProperty('acs_url');
  });
});

describe('a result of the directory server (RReq)', () => {
  const result = {
    reference: '01935f00-0000-7000-8000-000000000001',
    ds_trans_id: good.ds_trans_id,
    acs_trans_id: good.acs_trans_id,
    message_version: '2.2.0',
    trans_status: 'Y',
    eci: '05',
    cavv: 'AAAA',
  };
  const read = (change: object) => directory.readOutcome({ ...result, ...change });

  it.each<[string, unknown]>([
    ['an Erro message', erro],
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
    ['for want of time', { trans_status: 'U', challenge_cancel: '04' }, 'unavailable', 'timeout'],
    ['never opened', { trans_status: 'U', challenge_cancel: '05' }, 'unavailable', 'timeout'],
  ])('%s has its meaning', (_, change, meaning, cancel) => {
    const outcome = read(change);
    expect([outcome?.result, outcome?.cancel]).toEqual([meaning, cancel]);
    expect(outcome?.cryptogram).toBe(meaning === 'authenticated' ? 'AAAA' : undefined);
  });

  it('without its transaction has none', () => {
    expect(read({ acs_trans_id: undefined })).not.toHaveProperty('acs_transaction_eid');
  });
});
