import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { expect, test } from 'vitest';
import { conformanceCases } from '../port/conformance.ts';
import type { WireSamples } from '../port/conformance-samples.ts';
import { createSandboxProcessor } from './index.ts';

const processor = createSandboxProcessor({ simulatorUrl: 'http://127.0.0.1:4100' });
const reference = '0190f3c2-7b4e-7abc-8def-0123456789ab';
const network_transaction_id = '012345678901234';
const matchingChecks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;

const approvedSample = {
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
  meaning: {
    result: 'approved',
    authorisation_code: 'A1B2C3',
    network_transaction_id,
    ...matchingChecks,
  },
} as const;

const createDecline = (response_code: string, letters: object = {}) => ({
  status: 200,
  body: { reference, result: 'declined', response_code, avs: 'Y', cvc: 'M', ...letters },
});

const declinedSamples = [
  {
    ...createDecline('51'),
    meaning: { result: 'declined', code: 'insufficient_funds', ...matchingChecks },
  },
  {
    ...createDecline('99'),
    meaning: { result: 'declined', code: 'generic_decline', ...matchingChecks },
  },
  {
    ...createDecline('N7', { cvc: 'N' }),
    meaning: {
      result: 'declined',
      code: 'incorrect_cvc',
      ...matchingChecks,
      cvc2_check: 'mismatch',
    },
  },
  {
    ...createDecline('59', { avs: 'N', cvc: 'P' }),
    meaning: {
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
    meaning: {
      result: 'declined',
      code: 'processor_unreachable',
      cvc2_check: 'unprocessed',
      address_line1_verification: 'unverified',
      postal_code_verification: 'unverified',
    },
  },
] as const;

const approvedFollowUp = {
  status: 200,
  body: { reference, result: 'approved', response_code: '00', network_transaction_id },
  meaning: { result: 'approved', network_transaction_id },
} as const;

const createFollowUpDeclines = (code: FollowUpFailure) =>
  ['05', '12', '13'].map((response_code) => ({
    status: 200,
    body: { reference, result: 'declined', response_code },
    meaning: { result: 'declined', code } as const,
  }));

const notFoundSample = {
  status: 404,
  body: { error: 'unknown' },
  meaning: { result: 'not_found' },
} as const;

const directoryMembers = {
  version: '2.2.0',
  directory_transaction_eid: 'ds',
  acs_transaction_eid: 'acs',
} as const;
const authenticationMembers = {
  enrolled: true,
  message_version: '2.2.0',
  ds_trans_id: 'ds',
  acs_trans_id: 'acs',
} as const;

const samples: WireSamples = {
  authorise: { approved: [approvedSample], declined: declinedSamples },
  inquire: {
    approved: [approvedSample],
    declined: declinedSamples,
    not_found: [notFoundSample],
  },
  reverse: [
    { status: 200, body: { reference, result: 'reversed' }, meaning: { result: 'reversed' } },
    ...['declined', 'approved'].map((result) => ({
      status: 200,
      body: { reference, result },
      meaning: { result: 'refused', why: `The authorisation is ${result}.` } as const,
    })),
  ],
  refund: {
    approved: [approvedFollowUp],
    declined: createFollowUpDeclines('refund_declined'),
    not_found: [notFoundSample],
  },
  capture: {
    approved: [approvedFollowUp],
    declined: createFollowUpDeclines('capture_declined'),
    not_found: [notFoundSample],
  },
  authenticate: [
    {
      status: 200,
      body: { ...authenticationMembers, trans_status: 'Y', eci: '05', cavv: 'AAABBB' },
      meaning: {
        result: 'authenticated',
        status: 'Y',
        eci: '05',
        cryptogram: 'AAABBB',
        ...directoryMembers,
      },
    },
    {
      status: 200,
      body: { ...authenticationMembers, trans_status: 'N', eci: '00' },
      meaning: { result: 'rejected', status: 'N', eci: '00', ...directoryMembers },
    },
    {
      status: 200,
      body: { ...authenticationMembers, trans_status: 'R', eci: '07' },
      meaning: { result: 'rejected', status: 'R', eci: '07', ...directoryMembers },
    },
    {
      status: 200,
      body: { ...authenticationMembers, trans_status: 'A', eci: '06', cavv: 'AAABBB' },
      meaning: {
        result: 'authenticated',
        status: 'A',
        eci: '06',
        cryptogram: 'AAABBB',
        ...directoryMembers,
      },
    },
    {
      status: 200,
      body: {
        ...authenticationMembers,
        trans_status: 'C',
        eci: '07',
        acs_url: 'https://bank.example/acs',
      },
      meaning: {
        result: 'challenge',
        status: 'C',
        eci: '07',
        acs_url: 'https://bank.example/acs',
        ...directoryMembers,
      },
    },
    {
      status: 200,
      body: { ...authenticationMembers, trans_status: 'I', eci: '07' },
      meaning: { result: 'not_authenticated', status: 'I', eci: '07', ...directoryMembers },
    },
    {
      status: 200,
      body: { enrolled: false, message_version: '2.2.0', eci: '07' },
      meaning: { result: 'not_enrolled', version: '2.2.0', status: 'not_enrolled', eci: '07' },
    },
    {
      status: 200,
      body: { ...authenticationMembers, trans_status: 'U', eci: '07' },
      meaning: { result: 'not_authenticated', status: 'U', eci: '07', ...directoryMembers },
    },
  ],
};

for (const { name, run } of conformanceCases(() => processor, samples))
  test(name, () => expect(run).not.toThrow());

test('an authentication is sent with the authorisation', () => {
  const { body, url } = processor.authorise.mapRequest({
    attempt_id: reference,
    idempotency_key: 'key',
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

const challengeResult = {
  reference,
  ds_trans_id: 'ds',
  acs_trans_id: 'acs',
  message_version: '2.2.0',
  trans_status: 'N',
  eci: '07',
  challenge_cancel: '01',
} as const;

test('the result of a challenge is read with its reason, and acknowledged', () => {
  const parsedOutcome = processor.readOutcome(challengeResult);
  expect(parsedOutcome).toEqual({
    attempt_id: reference,
    result: 'rejected',
    status: 'N',
    eci: '07',
    cancel: 'cardholder',
    ...directoryMembers,
  });
  expect(parsedOutcome && processor.receiptOf(parsedOutcome)).toEqual({
    reference,
    results_status: '01',
  });
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
      expect(processor.readOutcome({ ...challengeResult, [member]: value })).toBeUndefined();
    }
  },
);

test.each([undefined, null, 'text', [], {}])('%o is refused as a challenge result', (message) => {
  expect(processor.readOutcome(message)).toBeUndefined();
});

test('a card range has a method page only if the answer contains a web address', () => {
  const mapCardRange = (body: unknown) =>
    processor.cardRange.mapAnswer({ outcome: 'answered', status: 200, body });
  expect(mapCardRange({ enrolled: true, method_url: 'https://bank.example/method' })).toEqual({
    method_url: 'https://bank.example/method',
  });
  for (const method_url of ['javascript:alert(1)', 7, undefined, 'https://a b', 'x'.repeat(900)]) {
    expect(mapCardRange({ enrolled: true, method_url })).toEqual({});
  }
  expect(processor.cardRange.mapAnswer({ outcome: 'lost', why: 'timeout' })).toEqual({});
});

test('an authorisation without authentication has no authentication members', () => {
  const emptyAuthentication = {
    version: null,
    status: null,
    eci: null,
    cryptogram: null,
    directory_transaction_eid: null,
  };
  const commonInput = {
    attempt_id: reference,
    idempotency_key: 'key',
    amount: 100,
    currency: 'EUR',
    capture: true,
  };
  const { body } = processor.authorise.mapRequest({
    ...commonInput,
    authentication: emptyAuthentication,
  });
  expect(body).not.toHaveProperty('authentication');
});

test.each([
  ['a half', 50, { result: 'partly_approved', approvedAmount: 50 }],
  ['nothing', 0, { result: 'partly_approved', approvedAmount: 0 }],
])('an approval of %s does not count as a full approval', (_, approved_amount, meaning) => {
  const body = { reference, result: 'approved', response_code: '10', authorisation_code: 'A1' };
  const mapApproval = (amount: unknown) =>
    processor.authorise.mapAnswer({
      outcome: 'answered',
      status: 200,
      body: { ...body, approved_amount: amount },
    });
  expect(mapApproval(approved_amount)).toEqual(meaning);
  for (const invalidAmount of ['50', 1.5, -1, null, {}, Number.MAX_VALUE]) {
    expect(mapApproval(invalidAmount).result).toBe('unknown');
  }
});

test("a payment's instructions for the sandbox are passed on unchanged", () => {
  const commonInput = {
    attempt_id: reference,
    idempotency_key: 'key',
    amount: 100,
    currency: 'EUR',
    simulate: 'slow',
  };
  expect(processor.authorise.mapRequest({ ...commonInput, capture: true }).body).toMatchObject({
    simulate: 'slow',
  });
  const { body } = processor.refund.send.mapRequest({ ...commonInput, demand_id: reference });
  expect(body).toMatchObject({ simulate: 'slow' });
});
