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
  clientOf,
  freshDir,
  newAuthorisation,
  numberOf,
  refundRequest,
} from './client.ts';

const NOW = new Date('2026-06-15T12:00:00Z');
const dataDir = freshDir();
let simulator: Simulator;
let client: Client;

beforeAll(async () => {
  simulator = await createSimulator({ dataDir, port: 0, now: () => NOW });
  client = clientOf(simulator.url);
});
afterAll(() => simulator[Symbol.asyncDispose]());

describe('an authorisation', () => {
  test.each(sandboxCards)('of $token has the outcome $outcome', async ({ number, outcome }) => {
    const answer = await client.authorise(newAuthorisation({ card: { number } }));
    expect(answer).toMatchObject({
      result: outcome === 'approved' ? 'approved' : 'declined',
      response_code: responseCodes[outcome],
      cvc: outcome === 'incorrect_cvc' ? 'N' : 'M',
      avs: outcome === 'highest_risk' ? 'N' : 'Y',
    });
    expect(answer.authorisation_code !== undefined).toBe(outcome === 'approved');
  });

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
    expect((await client.authorise(newAuthorisation({ card }))).response_code).toBe(code);
  });

  test('without a verification value is approved with the check not processed', async () => {
    const { card, ...rest } = newAuthorisation();
    const { cvv, ...without } = card;
    expect(await client.authorise({ ...rest, card: without })).toMatchObject({
      result: 'approved',
      cvc: 'P',
    });
  });

  test('sent again gets the first response, whatever it contains now', async () => {
    const request = newAuthorisation();
    const before = (await client.books()).repeats;
    const first = await client.authorise(request);
    const declining = { ...request.card, number: numberOf('pan_test_lost_card') };
    const again = await Promise.all([
      client.authorise(request),
      client.authorise({ ...request, card: declining }),
    ]);
    expect(again).toEqual([first, first]);
    expect((await client.books()).repeats).toBe(before + 1);
  });

  test('sent many times concurrently is stored once', async () => {
    const request = newAuthorisation();
    const before = await client.books();
    await Promise.all(Array.from({ length: 50 }, () => client.authorise(request)));
    expect((await client.books()).authorisations).toBe(before.authorisations + 1);
    expect((await client.books()).approved).toBe(before.approved + 1);
  });
});

describe('a reversal', () => {
  test('reverses an approval, however often it is sent', async () => {
    const request = newAuthorisation();
    await client.authorise(request);
    const before = await client.books();
    expect((await client.reverse(request.reference)).result).toBe('reversed');
    expect((await client.reverse(request.reference)).result).toBe('reversed');
    expect((await client.inquire(request.reference)) as object).toMatchObject({
      result: 'reversed',
    });
    expect((await client.authorise(request)).result).toBe('reversed');
    expect(await client.books()).toMatchObject({
      approved: before.approved - 1,
      reversed: before.reversed + 1,
    });
  });

  test('of an unknown reference refuses the authorisation that arrives late', async () => {
    const request = newAuthorisation();
    expect((await client.reverse(request.reference)).result).toBe('reversed');
    const late = await client.authorise(request);
    expect(late).toMatchObject({ result: 'reversed' });
    expect(late.response_code).not.toBe(responseCodes.approved);
  });

  test('of a decline changes nothing', async () => {
    const request = newAuthorisation({ card: { number: numberOf('pan_test_stolen_card') } });
    const declined = await client.authorise(request);
    expect(await client.reverse(request.reference)).toEqual(declined);
  });
});

describe('a refund', () => {
  const paid = async (changes: Parameters<typeof newAuthorisation>[0] = {}): Promise<string> => {
    const { reference } = await client.authorise(newAuthorisation({ amount: 250, ...changes }));
    return reference;
  };

  test('returns parts of the captured amount, and nothing above it', async () => {
    const reference = await paid();
    const before = await client.books();
    const codes = [];
    for (const amount of [100, 100, 51, 50, 1]) {
      codes.push((await client.refund(reference, refundRequest({ amount }))).response_code);
    }
    const { approved, invalid_amount } = followUpResponseCodes;
    expect(codes).toEqual([approved, approved, invalid_amount, approved, invalid_amount]);
    const { refunds, refunded } = await client.books();
    expect([refunds - before.refunds, refunded - before.refunded]).toEqual([3, 250]);
  });

  test('sent repeatedly and concurrently is stored once', async () => {
    const reference = await paid();
    const request = refundRequest();
    const before = await client.books();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.refund(reference, request)),
    );
    const again = await client.refund(reference, { ...request, amount: 1 });
    expect(new Set([...answers, again].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await client.inquireRefund(request.reference)).toEqual(again);
    expect((await client.books()).refunded).toBe(before.refunded + request.amount);
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
      () => paid({ card: { number: numberOf('pan_test_lost_card') } }),
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'one that was not captured',
      () => paid({ capture: false }),
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'one that was reversed',
      async () => (await client.reverse(await paid())).reference,
      {},
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'another currency',
      () => paid(),
      { currency: 'EUR' },
      followUpResponseCodes.invalid_transaction,
    ],
    [
      'the amount that issuers decline',
      () => paid({ amount: 50_000 }),
      { amount: 9705 },
      followUpResponseCodes.do_not_honour,
    ],
  ])('of %s is declined', async (_, make, changes, response_code) => {
    const answer = await client.refund(await make(), refundRequest(changes));
    expect(answer).toMatchObject({ result: 'declined', response_code });
  });

  test('prevents the reversal of its authorisation', async () => {
    const reference = await paid();
    await client.refund(reference, refundRequest());
    expect((await client.reverse(reference)).result).toBe('approved');
  });

  test.each([
    ['lost', 9701, 'approved'],
    ['cut off before it is booked, once', 9702, 'not_found'],
    ['garbled', 9703, 'approved'],
  ] as const)('by its amount is %s', async (_, amount, found) => {
    const reference = await paid({ amount: 50_000 });
    const request = refundRequest({ amount });
    await expect(client.refund(reference, request)).rejects.toThrow();
    const inquired = await client.inquireRefund(request.reference);
    expect(inquired === 'not_found' ? inquired : inquired.result).toBe(found);
    if (found === 'not_found') {
      expect((await client.refund(reference, request)).result).toBe('approved');
    }
  });

  test.each([
    ['nothing', { amount: 0 }],
    ['a fraction', { amount: 1.5 }],
    ['a currency in words', { currency: 'dollars' }],
    ['a reference with a slash', { reference: 'a/b' }],
  ])('of %s is refused', async (_, changes) => {
    const path = networkPaths.refundsOf(await paid());
    expect((await client.raw('POST', path, refundRequest(changes))).status).toBe(400);
  });
});

describe('an authentication', () => {
  const cases = [
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

  test.each(cases)('of %s has status %s and ECI %s', async (token, status, eci) => {
    const answer = await client.authenticate(
      newAuthorisation({ card: { number: numberOf(token) } }),
    );
    expect(answer).toMatchObject({ enrolled: status !== undefined, message_version: '2.2.0', eci });
    expect(answer.trans_status).toBe(status);
    expect(answer.cavv === undefined ? 0 : Buffer.from(answer.cavv, 'base64').length).toBe(
      status === 'Y' ? 20 : 0,
    );
  });

  test('sent again gets the same ids', async () => {
    const request = newAuthorisation();
    expect(await client.authenticate(request)).toEqual(await client.authenticate(request));
  });

  const visa_19 = { number: numberOf('pan_test_visa_19') };
  test.each<[string, Parameters<typeof newAuthorisation>[0], object, number, string]>([
    ['its own card and amount', {}, {}, 2499, responseCodes.approved],
    ['any amount, where it was made for nothing', {}, {}, 0, responseCodes.approved],
    ['another amount', {}, {}, 2500, responseCodes.generic_decline],
    ['another currency', { currency: 'EUR' }, {}, 2499, responseCodes.generic_decline],
    ['another card', { card: visa_19 }, {}, 2499, responseCodes.generic_decline],
    ['another transaction', {}, { transaction_id: 'x' }, 2499, responseCodes.generic_decline],
    ['no transaction', {}, { transaction_id: undefined }, 2499, responseCodes.generic_decline],
    ['another cryptogram', {}, { cavv: 'A'.repeat(28) }, 2499, responseCodes.generic_decline],
  ])('counts for %s with response code', async (_, change, otherProof, amount, code) => {
    const made = await client.authenticate(newAuthorisation({ amount }));
    const { eci, cavv = '', ds_trans_id = '' } = made;
    const proof = { eci, cavv, transaction_id: ds_trans_id, ...otherProof };
    const answer = await client.authorise(newAuthorisation({ ...change, authentication: proof }));
    expect(answer.response_code).toBe(code);
  });
});

describe('a fault by amount', () => {
  const faulty = (kind: string) =>
    newAuthorisation({
      amount:
        10_000 + Number(Object.entries(faultAmounts).find(([, fault]) => fault === kind)?.[0]),
    });

  test('loses the response of a stored authorisation', async () => {
    const request = faulty('lose_answer');
    await expect(client.authorise(request)).rejects.toThrow();
    expect(await client.inquire(request.reference)).toMatchObject({ result: 'approved' });
  });

  test('resets the connection before anything is stored', async () => {
    const request = faulty('reset');
    await expect(client.authorise(request)).rejects.toThrow();
    expect(await client.inquire(request.reference)).toBe('not_found');
  });

  test('sends an unreadable response after storing', async () => {
    const request = faulty('garbage');
    await expect(client.authorise(request)).rejects.toThrow(SyntaxError);
    expect(await client.inquire(request.reference)).toMatchObject({ result: 'approved' });
  });
});

test('an authorisation that arrives after its reversal is refused', async () => {
  const dir = freshDir();
  const faults: FaultOf = ({ amount }) => (amount ? 'delay:200' : undefined);
  const slow = await createSimulator({ dataDir: dir, port: 0, faults });
  const late = clientOf(slow.url);
  const request = newAuthorisation();
  const answer = late.authorise(request);
  expect(await late.inquire(request.reference)).toBe('not_found');
  await late.reverse(request.reference);
  expect((await answer).result).toBe('reversed');
  expect(await late.books()).toMatchObject({ approved: 0, reversed: 1 });
  await slow[Symbol.asyncDispose]();
});

describe('an invalid request', () => {
  const good = newAuthorisation();
  test.each([
    ['no body', undefined, 'The body must be an object.'],
    ['a list', [], 'The body must be an object.'],
    ['no reference', { ...good, reference: undefined }, 'reference must be'],
    ['a reference with a slash', { ...good, reference: 'a/b' }, 'reference must be'],
    ['a fraction of a minor unit', { ...good, amount: 1.5 }, 'amount must be'],
    ['a negative amount', { ...good, amount: -1 }, 'amount must be'],
    ['a currency in words', { ...good, currency: 'dollars' }, 'currency must be'],
    [
      'a placeholder for a number',
      { ...good, card: { ...good.card, number: '{{card.pan}}' } },
      'number must be',
    ],
    [
      'a wrong check digit',
      { ...good, card: { ...good.card, number: '4005519200000005' } },
      'number must end',
    ],
    [
      'month thirteen',
      { ...good, card: { ...good.card, expiry_month: '13' } },
      'expiry_month must be',
    ],
    ['a short verification value', { ...good, card: { ...good.card, cvv: '12' } }, 'cvv must be'],
    ['no capture', { ...good, capture: undefined }, 'capture must be'],
  ])('is refused by name: %s', async (_, body, message) => {
    const response = await client.raw('POST', networkPaths.authorisations, body);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain(message);
    expect(text).not.toContain('400551');
    expect(await client.inquire(good.reference)).toBe('not_found');
  });

  test('is refused if it is not JSON, too large, or has no path', async () => {
    const url = simulator.url + networkPaths.authorisations;
    expect((await fetch(url, { method: 'POST', body: '{' })).status).toBe(400);
    expect((await fetch(url, { method: 'POST', body: ' '.repeat(100_000) })).status).toBe(400);
    expect((await fetch(`${simulator.url}/v1/unknown`)).status).toBe(404);
  });
});

test('no file of the ledger contains a card number', async () => {
  const request = newAuthorisation();
  await client.authorise(request);
  for (const file of readdirSync(dataDir)) {
    const text = readFileSync(join(dataDir, file), 'latin1');
    expect(sandboxCards.filter(({ number }) => text.includes(number))).toEqual([]);
  }
});
