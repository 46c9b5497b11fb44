import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { expect, test } from 'vitest';
import { conformanceCases, type WireSamples } from '../conformance.ts';
import { createSandboxProcessor } from './index.ts';

const processor = createSandboxProcessor({ simulatorUrl: 'http://127.0.0.1:4100' });
const reference = '0190f3c2-7b4e-7abc-8def-0123456789ab';
const network_transaction_id = '012345678901234';
const matching = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;

const approved = {
  status: 200,
  body: {
    reference,
    result: 'approved',
    response_code: '00',
    authorisation_code: 'A1B2C3',
    network_transaction_id,
    avs: 'Y',
    cvc: 'M',
  },
  means: { result: 'approved', authorisation_code: 'A1B2C3', network_transaction_id, ...matching },
} as const;

const declining = (response_code: string, letters: object = {}) => ({
  status: 200,
  body: { reference, result: 'declined', response_code, avs: 'Y', cvc: 'M', ...letters },
});

const declines = [
  { ...declining('51'), means: { result: 'declined', code: 'insufficient_funds', ...matching } },
  { ...declining('99'), means: { result: 'declined', code: 'generic_decline', ...matching } },
  {
    ...declining('N7', { cvc: 'N' }),
    means: { result: 'declined', code: 'incorrect_cvc', ...matching, cvc2_check: 'mismatch' },
  },
  {
    ...declining('59', { avs: 'N', cvc: 'P' }),
    means: {
      result: 'declined',
      code: 'highest_risk',
      cvc2_check: 'unprocessed',
      address_line1_verification: 'mismatch',
      postal_code_verification: 'mismatch',
    },
  },
  {
    status: 200,
    body: { reference, result: 'reversed', response_code: '68', avs: 'U', cvc: 'P' },
    means: {
      result: 'declined',
      code: 'processor_unreachable',
      cvc2_check: 'unprocessed',
      address_line1_verification: 'unverified',
      postal_code_verification: 'unverified',
    },
  },
] as const;

const followed = {
  status: 200,
  body: { reference, result: 'approved', response_code: '00', network_transaction_id },
  means: { result: 'approved', network_transaction_id },
} as const;

const followUpDeclines = (code: FollowUpFailure) =>
  ['05', '12', '13'].map((response_code) => ({
    status: 200,
    body: { reference, result: 'declined', response_code },
    means: { result: 'declined', code } as const,
  }));

const notFound = {
  status: 404,
  body: { error: 'unknown' },
  means: { result: 'not_found' },
} as const;

const directory = {
  version: '2.2.0',
  directory_transaction_eid: 'ds',
  acs_transaction_eid: 'acs',
} as const;
const asked = {
  enrolled: true,
  message_version: '2.2.0',
  ds_trans_id: 'ds',
  acs_trans_id: 'acs',
} as const;

const samples: WireSamples = {
  authorise: { approved: [approved], declined: declines },
  inquire: {
    approved: [approved],
    declined: declines,
    not_found: [notFound],
  },
  reverse: [
    { status: 200, body: { reference, result: 'reversed' }, means: { result: 'reversed' } },
    ...['declined', 'approved'].map((result) => ({
      status: 200,
      body: { reference, result },
      means: { result: 'refused', why: `The authorisation is ${result}.` } as const,
    })),
  ],
  refund: {
    approved: [followed],
    declined: followUpDeclines('refund_declined'),
    not_found: [notFound],
  },
  capture: {
    approved: [followed],
    declined: followUpDeclines('capture_declined'),
    not_found: [notFound],
  },
  authenticate: [
    {
      status: 200,
      body: { ...asked, trans_status: 'Y', eci: '05', cavv: 'AAABBB' },
      means: {
        result: 'authenticated',
        status: 'Y',
        eci: '05',
        cryptogram: 'AAABBB',
        ...directory,
      },
    },
    {
      status: 200,
      body: { ...asked, trans_status: 'N', eci: '00' },
      means: { result: 'rejected', status: 'N', eci: '00', ...directory },
    },
    {
      status: 200,
      body: { ...asked, trans_status: 'R', eci: '07' },
      means: { result: 'rejected', status: 'R', eci: '07', ...directory },
    },
    {
      status: 200,
      body: { ...asked, trans_status: 'A', eci: '06', cavv: 'AAABBB' },
      means: {
        result: 'authenticated',
        status: 'A',
        eci: '06',
        cryptogram: 'AAABBB',
        ...directory,
      },
    },
    {
      status: 200,
      body: { ...asked, trans_status: 'C', eci: '07', acs_url: 'https://bank.example/acs' },
      means: {
        result: 'challenge',
        status: 'C',
        eci: '07',
        acs_url: 'https://bank.example/acs',
        ...directory,
      },
    },
    {
      status: 200,
      body: { ...asked, trans_status: 'I', eci: '07' },
      means: { result: 'not_authenticated', status: 'I', eci: '07', ...directory },
    },
    {
      status: 200,
      body: { enrolled: false, message_version: '2.2.0', eci: '07' },
      means: { result: 'not_enrolled', version: '2.2.0', status: 'not_enrolled', eci: '07' },
    },
    {
      status: 200,
      body: { ...asked, trans_status: 'U', eci: '07' },
      means: { result: 'not_authenticated', status: 'U', eci: '07', ...directory },
    },
  ],
};

for (const { name, run } of conformanceCases(() => processor, samples))
  test(name, () => expect(run).not.toThrow());

test('an authentication is sent with the authorisation', () => {
  const { body, url } = processor.authorise.mapRequest({
    attempt_id: reference,
    amount: 100,
    currency: 'EUR',
    capture: false,
    authentication: {
      version: '2.2.0',
      status: 'Y',
      eci: '05',
      cryptogram: 'AAABBB',
      directory_transaction_eid: 'ds',
    },
  });
  expect(url).toBe(`http://127.0.0.1:4100${networkPaths.authorisations}`);
  expect(body).toMatchObject({
    reference,
    amount: 100,
    currency: 'EUR',
    capture: false,
    authentication: { eci: '05', cavv: 'AAABBB', transaction_id: 'ds' },
  });
});

const outcome = {
  reference,
  ds_trans_id: 'ds',
  acs_trans_id: 'acs',
  message_version: '2.2.0',
  trans_status: 'N',
  eci: '07',
  challenge_cancel: '01',
} as const;

test('the result of a challenge is read with its reason, and acknowledged', () => {
  const read = processor.readOutcome(outcome);
  expect(read).toEqual({
    attempt_id: reference,
    result: 'rejected',
    status: 'N',
    eci: '07',
    cancel: 'cardholder',
    ...directory,
  });
  expect(read && processor.receiptOf(read)).toEqual({ reference, results_status: '01' });
});

test.each(['reference', 'trans_status', 'message_version', 'eci'])(
  'a challenge result with a hostile %s is refused',
  (member) => {
    for (const value of [
      'constructor '.repeat(50),
      '\0',
      ['Y'],
      7,
      null,
      undefined,
      { toString: 1 },
    ]) {
      expect(processor.readOutcome({ ...outcome, [member]: value })).toBeUndefined();
    }
  },
);

test.each([undefined, null, 'text', [], {}])('%o is refused as a challenge result', (message) => {
  expect(processor.readOutcome(message)).toBeUndefined();
});

test('a card range has a method page only if the answer contains a web address', () => {
  const read = (body: unknown) =>
    processor.cardRange.mapAnswer({ outcome: 'answered', status: 200, body });
  expect(read({ enrolled: true, method_url: 'https://bank.example/method' })).toEqual({
    method_url: 'https://bank.example/method',
  });
  for (const method_url of ['javascript:alert(1)', 7, undefined, 'https://a b', 'x'.repeat(900)]) {
    expect(read({ enrolled: true, method_url })).toEqual({});
  }
  expect(processor.cardRange.mapAnswer({ outcome: 'lost', why: 'timeout' })).toEqual({});
});

test('an authorisation without authentication has no authentication members', () => {
  const nothing = {
    version: null,
    status: null,
    eci: null,
    cryptogram: null,
    directory_transaction_eid: null,
  };
  const common = { attempt_id: reference, amount: 100, currency: 'EUR', capture: true };
  const { body } = processor.authorise.mapRequest({ ...common, authentication: nothing });
  expect(body).not.toHaveProperty('authentication');
});

test.each([
  ['a half', 50, { result: 'partly_approved', approved: 50 }],
  ['nothing', 0, { result: 'partly_approved', approved: 0 }],
])('an approval of %s does not count as a full approval', (_, approved_amount, means) => {
  const body = { reference, result: 'approved', response_code: '10', authorisation_code: 'A1' };
  const read = (amount: unknown) =>
    processor.authorise.mapAnswer({
      outcome: 'answered',
      status: 200,
      body: { ...body, approved_amount: amount },
    });
  expect(read(approved_amount)).toEqual(means);
  for (const hostile of ['50', 1.5, -1, null, {}, Number.MAX_VALUE]) {
    expect(read(hostile).result).toBe('unknown');
  }
});

test("a payment's instructions for the sandbox are passed on unchanged", () => {
  const common = { attempt_id: reference, amount: 100, currency: 'EUR', simulate: 'slow' };
  expect(processor.authorise.mapRequest({ ...common, capture: true }).body).toMatchObject({
    simulate: 'slow',
  });
  const { body } = processor.refund.send.mapRequest({ ...common, demand_id: reference });
  expect(body).toMatchObject({ simulate: 'slow' });
});
