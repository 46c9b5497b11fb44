import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { networkPaths } from '@florin/contract/protocol/network.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../src/app.ts';
import { type FaultOf, faultAmounts } from '../src/faults.ts';
import { followUpResponseCodes, responseCodes } from '../src/response-codes.ts';
import {
  type Client,
  createAuthorisationRequest,
  createClient,
  createDataDir,
  createRefundRequest,
  numberOf,
} from './client.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const dataDir = createDataDir();
let simulator: Simulator;
let client: Client;

beforeAll(async () => {
  simulator = await createSimulator({ dataDir, port: 0, now: () => NOW });
  client = createClient(simulator.url);
});
afterAll(() => simulator[Symbol.asyncDispose]());

/** Address check of a card, as networks write it: `A` street only, `Z` postal code only. */
function avsOf(outcome: string, mismatch: string | undefined): string {
  if (mismatch === 'postal_code_mismatch') return 'A';
  if (mismatch === 'address_mismatch') return 'Z';
  return outcome === 'highest_risk' ? 'N' : 'Y';
}

describe('an authorisation', () => {
  test.each(sandboxCards)(
    'of $token has the outcome $outcome',
    async ({ number, outcome, mismatch }) => {
      const answer = await client.authorise(createAuthorisationRequest({ card: { number } }));
      expect(answer).toMatchObject({
        result: outcome === 'approved' ? 'approved' : 'declined',
        response_code: responseCodes[outcome],
        cvc: outcome === 'incorrect_cvc' || mismatch === 'cvc_mismatch' ? 'N' : 'M',
        avs: avsOf(outcome, mismatch),
      });
      expect(answer.authorisation_code !== undefined).toBe(outcome === 'approved');
    },
  );

  test.each([
    [
      'a number that the network does not know',
      { number: '4242424242424242' },
      responseCodes.invalid_card,
    ],
    [
      'a card that expired last month',
      { expiry_month: '5', expiry_year: '2026' },
      responseCodes.expired_card,
    ],
    [
      'a card in its last month',
      { expiry_month: '06', expiry_year: '2026' },
      responseCodes.approved,
    ],
  ])('of %s', async (_, card, code) => {
    expect((await client.authorise(createAuthorisationRequest({ card }))).response_code).toBe(code);
  });

  test('without a verification value is approved with the check not processed', async () => {
    const { card, ...requestWithoutCard } = createAuthorisationRequest();
    const { cvv, ...cardWithoutCvv } = card;
    expect(await client.authorise({ ...requestWithoutCard, card: cardWithoutCvv })).toMatchObject({
      result: 'approved',
      cvc: 'P',
    });
  });

  test('sent again gets the first response, whatever it contains now', async () => {
    const request = createAuthorisationRequest();
    const repeatsBefore = (await client.readCounts()).repeats;
    const firstAnswer = await client.authorise(request);
    const declinedCard = { ...request.card, number: numberOf('pan_test_lost_card') };
    const laterAnswers = await Promise.all([
      client.authorise(request),
      client.authorise({ ...request, card: declinedCard }),
    ]);
    expect(laterAnswers).toEqual([firstAnswer, firstAnswer]);
    expect((await client.readCounts()).repeats).toBe(repeatsBefore + 1);
  });

  test('sent many times concurrently is stored once', async () => {
    const request = createAuthorisationRequest();
    const countsBefore = await client.readCounts();
    await Promise.all(Array.from({ length: 50 }, () => client.authorise(request)));
    expect((await client.readCounts()).authorisations).toBe(countsBefore.authorisations + 1);
    expect((await client.readCounts()).approved).toBe(countsBefore.approved + 1);
  });
});

describe('a reversal', () => {
  test('reverses an approval, however often it is sent', async () => {
    const request = createAuthorisationRequest();
    await client.authorise(request);
    const countsBefore = await client.readCounts();
    expect((await client.reverse(request.reference)).result).toBe('reversed');
    expect((await client.reverse(request.reference)).result).toBe('reversed');
    expect((await client.inquire(request.reference)) as object).toMatchObject({
      result: 'reversed',
    });
    expect((await client.authorise(request)).result).toBe('reversed');
    expect(await client.readCounts()).toMatchObject({
      approved: countsBefore.approved - 1,
      reversed: countsBefore.reversed + 1,
    });
  });

  test('of an unknown reference refuses the authorisation that arrives late', async () => {
    const request = createAuthorisationRequest();
    expect((await client.reverse(request.reference)).result).toBe('reversed');
    const lateAnswer = await client.authorise(request);
    expect(lateAnswer).toMatchObject({ result: 'reversed' });
    expect(lateAnswer.response_code).not.toBe(responseCodes.approved);
  });

  test('of a decline changes nothing', async () => {
    const request = createAuthorisationRequest({
      card: { number: numberOf('pan_test_stolen_card') },
    });
    const declinedAnswer = await client.authorise(request);
    expect(await client.reverse(request.reference)).toEqual(declinedAnswer);
  });
});

describe('a refund', () => {
  const authorisePayment = async (
    changes: Parameters<typeof createAuthorisationRequest>[0] = {},
  ): Promise<string> => {
    const { reference } = await client.authorise(
      createAuthorisationRequest({ amount: 250, ...changes }),
    );
    return reference;
  };

  test('returns parts of the captured amount, and nothing above it', async () => {
    const reference = await authorisePayment();
    const countsBefore = await client.readCounts();
    const codes = [];
    for (const amount of [100, 100, 51, 50, 1]) {
      codes.push((await client.refund(reference, createRefundRequest({ amount }))).response_code);
    }
    const { approved, invalid_amount } = followUpResponseCodes;
    expect(codes).toEqual([approved, approved, invalid_amount, approved, invalid_amount]);
    const { refunds, refunded } = await client.readCounts();
    expect([refunds - countsBefore.refunds, refunded - countsBefore.refunded]).toEqual([3, 250]);
  });

  test('sent repeatedly and concurrently is stored once', async () => {
    const reference = await authorisePayment();
    const request = createRefundRequest();
    const countsBefore = await client.readCounts();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.refund(reference, request)),
    );
    const repeatedAnswer = await client.refund(reference, { ...request, amount: 1 });
    expect(new Set([...answers, repeatedAnswer].map((answer) => JSON.stringify(answer))).size).toBe(
      1,
    );
    expect(await client.inquireRefund(request.reference)).toEqual(repeatedAnswer);
    expect((await client.readCounts()).refunded).toBe(countsBefore.refunded + request.amount);
  });

  test.each<[string, () => Promise<string>, object, string]>([
    [
      'an unknown authorisation',
      async () => 'unknown',
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'a declined one',
      () => authorisePayment({ card: { number: numberOf('pan_test_lost_card') } }),
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'one that was not captured',
      () => authorisePayment({ capture: false }),
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'one that was reversed',
      async () => (await client.reverse(await authorisePayment())).reference,
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'another currency',
      () => authorisePayment(),
      { currency: 'EUR' },
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'the amount that issuers decline',
      () => authorisePayment({ amount: 50_000 }),
      { amount: 9705 },
      followUpResponseCodes.do_not_honour,
    ],
  ])('of %s is declined', async (_, createAuthorisation, changes, response_code) => {
    const answer = await client.refund(await createAuthorisation(), createRefundRequest(changes));
    expect(answer).toMatchObject({ result: 'declined', response_code });
  });

  test('prevents the reversal of its authorisation', async () => {
    const reference = await authorisePayment();
    await client.refund(reference, createRefundRequest());
    expect((await client.reverse(reference)).result).toBe('approved');
  });

  test.each([
    ['lost', 9701, 'approved'],
    ['cut off before it is booked, once', 9702, 'not_found'],
    ['garbled', 9703, 'approved'],
  ] as const)('by its amount is %s', async (_, amount, expectedResult) => {
    const reference = await authorisePayment({ amount: 50_000 });
    const request = createRefundRequest({ amount });
    await expect(client.refund(reference, request)).rejects.toThrow();
    const inquiryAnswer = await client.inquireRefund(request.reference);
    expect(inquiryAnswer === 'not_found' ? inquiryAnswer : inquiryAnswer.result).toBe(
      expectedResult,
    );
    if (expectedResult === 'not_found') {
      expect((await client.refund(reference, request)).result).toBe('approved');
    }
  });

  test.each([
    ['nothing', { amount: 0 }],
    ['a fraction', { amount: 1.5 }],
    ['a currency in words', { currency: 'dollars' }],
    ['a reference with a slash', { reference: 'a/b' }],
  ])('of %s is refused', async (_, changes) => {
    const path = networkPaths.refundsOf(await authorisePayment());
    expect((await client.sendRaw('POST', path, createRefundRequest(changes))).status).toBe(400);
  });
});

describe('a capture', () => {
  test('leaves the rest of the hold until the final one', async () => {
    const { reference } = await client.authorise(
      createAuthorisationRequest({ amount: 250, capture: false }),
    );
    const codes = [];
    for (const [amount, final] of [
      [100, false],
      [151, true],
      [50, true],
      [50, true],
    ] as const)
      codes.push(
        (await client.capture(reference, createRefundRequest({ amount, final }))).response_code,
      );
    const { approved, invalid_amount, invalid_transaction } = followUpResponseCodes;
    expect(codes).toEqual([approved, invalid_amount, approved, invalid_transaction]);
  });
});

describe('an authentication', () => {
  const eciCases = [
    ['pan_test_visa', 'Y', '05'],
    ['pan_test_visa_19', 'Y', '05'],
    ['pan_test_mastercard', 'Y', '02'],
    ['pan_test_discover', 'Y', '05'],
    ['pan_test_amex', 'Y', '05'],
    ['pan_test_threeds_rejected', 'N', '07'],
    ['pan_test_threeds_challenge', 'C', '00'],
    ['pan_test_threeds_not_enrolled', undefined, '07'],
    ['pan_test_threeds_unattempted', 'R', '07'],
  ] as const;

  test.each(eciCases)('of %s has status %s and ECI %s', async (token, status, eci) => {
    const answer = await client.authenticate(
      createAuthorisationRequest({ card: { number: numberOf(token) } }),
    );
    expect(answer).toMatchObject({ enrolled: status !== undefined, message_version: '2.2.0', eci });
    expect(answer.trans_status).toBe(status);
    expect(answer.cavv === undefined ? 0 : Buffer.from(answer.cavv, 'base64').length).toBe(
      status === 'Y' ? 20 : 0,
    );
  });

  test('sent again gets the same ids', async () => {
    const request = createAuthorisationRequest();
    expect(await client.authenticate(request)).toEqual(await client.authenticate(request));
  });

  const visa_19 = { number: numberOf('pan_test_visa_19') };
  test.each<[string, Parameters<typeof createAuthorisationRequest>[0], object, number, string]>([
    ['its own card and amount', {}, {}, 2499, responseCodes.approved],
    ['any amount, where it was made for nothing', {}, {}, 0, responseCodes.approved],
    ['another amount', {}, {}, 2500, responseCodes.generic_decline],
    ['another currency', { currency: 'EUR' }, {}, 2499, responseCodes.generic_decline],
    ['another card', { card: visa_19 }, {}, 2499, responseCodes.generic_decline],
    ['another transaction', {}, { transaction_id: 'x' }, 2499, responseCodes.generic_decline],
    ['no transaction', {}, { transaction_id: undefined }, 2499, responseCodes.generic_decline],
    ['another cryptogram', {}, { cavv: 'A'.repeat(28) }, 2499, responseCodes.generic_decline],
  ])('counts for %s with response code', async (_, change, proofChanges, amount, code) => {
    const authentication = await client.authenticate(createAuthorisationRequest({ amount }));
    const { eci, cavv = '', ds_trans_id = '' } = authentication;
    const proof = { eci, cavv, transaction_id: ds_trans_id, ...proofChanges };
    const answer = await client.authorise(
      createAuthorisationRequest({ ...change, authentication: proof }),
    );
    expect(answer.response_code).toBe(code);
  });
});

describe('a fault by amount', () => {
  const createFaultyRequest = (faultName: string) =>
    createAuthorisationRequest({
      amount:
        10_000 + Number(Object.entries(faultAmounts).find(([, fault]) => fault === faultName)?.[0]),
    });

  test('loses the response of a stored authorisation', async () => {
    const request = createFaultyRequest('lose_answer');
    await expect(client.authorise(request)).rejects.toThrow();
    expect(await client.inquire(request.reference)).toMatchObject({ result: 'approved' });
  });

  test('resets the connection before anything is stored', async () => {
    const request = createFaultyRequest('reset');
    await expect(client.authorise(request)).rejects.toThrow();
    expect(await client.inquire(request.reference)).toBe('not_found');
  });

  test('sends an unreadable response after storing', async () => {
    const request = createFaultyRequest('garbage');
    await expect(client.authorise(request)).rejects.toThrow(SyntaxError);
    expect(await client.inquire(request.reference)).toMatchObject({ result: 'approved' });
  });
});

test('an authorisation that arrives after its reversal is refused', async () => {
  const dir = createDataDir();
  const faults: FaultOf = ({ amount }) => (amount ? 'delay:200' : undefined);
  const slowSimulator = await createSimulator({ dataDir: dir, port: 0, faults });
  const slowClient = createClient(slowSimulator.url);
  const request = createAuthorisationRequest();
  const answer = slowClient.authorise(request);
  expect(await slowClient.inquire(request.reference)).toBe('not_found');
  await slowClient.reverse(request.reference);
  expect((await answer).result).toBe('reversed');
  expect(await slowClient.readCounts()).toMatchObject({ approved: 0, reversed: 1 });
  await slowSimulator[Symbol.asyncDispose]();
});

describe('an invalid request', () => {
  const validRequest = createAuthorisationRequest();
  test.each([
    ['no body', undefined, 'The body must be an object.'],
    ['a list', [], 'The body must be an object.'],
    ['no reference', { ...validRequest, reference: undefined }, 'reference must be'],
    ['a reference with a slash', { ...validRequest, reference: 'a/b' }, 'reference must be'],
    ['a fraction of a minor unit', { ...validRequest, amount: 1.5 }, 'amount must be'],
    ['a negative amount', { ...validRequest, amount: -1 }, 'amount must be'],
    ['a currency in words', { ...validRequest, currency: 'dollars' }, 'currency must be'],
    [
      'a placeholder for a number',
      { ...validRequest, card: { ...validRequest.card, number: '{{card.pan}}' } },
      'number must be',
    ],
    [
      'a wrong check digit',
      { ...validRequest, card: { ...validRequest.card, number: '4005519200000005' } },
      'number must end',
    ],
    [
      'month thirteen',
      { ...validRequest, card: { ...validRequest.card, expiry_month: '13' } },
      'expiry_month must be',
    ],
    [
      'a short verification value',
      { ...validRequest, card: { ...validRequest.card, cvv: '12' } },
      'cvv must be',
    ],
    ['no capture', { ...validRequest, capture: undefined }, 'capture must be'],
  ])('is refused by name: %s', async (_, body, message) => {
    const response = await client.sendRaw('POST', networkPaths.authorisations, body);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain(message);
    expect(text).not.toContain('400551');
    expect(await client.inquire(validRequest.reference)).toBe('not_found');
  });

  test('is refused if it is not JSON, too large, or has no path', async () => {
    const url = simulator.url + networkPaths.authorisations;
    expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: ' '.repeat(100_000) })).status).toBe(400);
    expect((await fetch(`${simulator.url}/v1/unknown`)).status).toBe(404);
  });
});

test('no file of the ledger contains a card number', async () => {
  const request = createAuthorisationRequest();
  await client.authorise(request);
  for (const file of readdirSync(dataDir)) {
    const text = readFileSync(join(dataDir, file), 'latin1');
    expect(sandboxCards.filter(({ number }) => text.includes(number))).toEqual([]);
  }
});
