import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import {
  type DisputeList,
  type NetworkDispute,
  networkPaths,
} from '@florin/contract/protocol/network.ts';
import { SIMULATED_APPROVAL_DELAY_SECONDS } from '@florin/contract/simulate.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../src/app.ts';
import {
  type Client,
  createAuthorisationRequest,
  createClient,
  createDataDir,
  numberOf,
} from './client.ts';

const dataDir = createDataDir();
let offsetSeconds = 0;
const now = () => new Date(Date.now() + offsetSeconds * 1000);
let simulator: Simulator;
let client: Client;
beforeAll(async () => {
  simulator = await createSimulator({ dataDir, port: 0, now });
  client = createClient(simulator.url);
});
afterAll(() => simulator[Symbol.asyncDispose]());

/** References of disputed authorisations. */
async function listDisputed(): Promise<string[]> {
  const response = await client.sendRaw('GET', '/v1/disputes/after/0');
  const { disputes } = (await response.json()) as { disputes: { authorisation: string }[] };
  return disputes.map(({ authorisation: reference }) => reference);
}

test('half of an amount is approved on request, and the rest cannot be refunded', async () => {
  const request = createAuthorisationRequest({ amount: 2501, simulate: 'partial_approval' });
  const answer = await client.authorise(request);
  expect(answer).toMatchObject({ result: 'approved', response_code: '10', approved_amount: 1250 });
  const refund = { reference: 'too-much', amount: 1251, currency: 'USD' };
  expect((await client.refund(request.reference, refund)).result).toBe('declined');
  expect((await client.reverse(request.reference)).result).toBe('reversed');
});

test('a late approval is pending for inquiries until its time, even after a restart', async () => {
  const request = createAuthorisationRequest({ simulate: 'late_approval' });
  await expect(client.authorise(request)).rejects.toThrow();
  const fetchAuthorisation = () => client.sendRaw('GET', `/v1/authorisations/${request.reference}`);
  expect((await fetchAuthorisation()).status).toBe(202);
  await simulator[Symbol.asyncDispose]();
  simulator = await createSimulator({ dataDir, port: 0, now });
  client = createClient(simulator.url);
  expect((await fetchAuthorisation()).status).toBe(202);
  offsetSeconds += SIMULATED_APPROVAL_DELAY_SECONDS + 1;
  expect(await client.inquire(request.reference)).toMatchObject({ result: 'approved' });
});

test('a dispute is opened once, when its days have passed', async () => {
  const request = createAuthorisationRequest({ simulate: 'dispute_after:2' });
  await client.authorise(request);
  const undisputedRequest = createAuthorisationRequest({ simulate: 'dispute_after:1000' });
  await client.authorise(undisputedRequest);
  offsetSeconds += 2 * 86_400 - 60;
  expect(await listDisputed()).toEqual([]);
  offsetSeconds += 61;
  expect(await listDisputed()).toEqual([request.reference]);
  offsetSeconds += 366 * 86_400;
  expect(await listDisputed()).toEqual([request.reference]);
});

test('a dispute of a hold waits for the capture, and has its amount', async () => {
  const earlierDisputes = await listDisputed();
  const authoriseHold = async (changes: object) => {
    const request = createAuthorisationRequest({ capture: false, ...changes });
    await client.authorise(request);
    return request.reference;
  };
  const disputedHolds = [
    await authoriseHold({ simulate: 'dispute_after:0' }),
    await authoriseHold({ amount: 19_708 }),
  ];
  const reversedHold = await authoriseHold({ simulate: 'dispute_after:0' });
  expect((await client.reverse(reversedHold)).result).toBe('reversed');
  expect(await listDisputed()).toEqual(earlierDisputes);
  for (const reference of disputedHolds) {
    const captureRequest = { reference: `capture-of-${reference}`, amount: 100, currency: 'USD' };
    expect((await client.capture(reference, captureRequest)).result).toBe('approved');
  }
  expect((await listDisputed()).toSorted()).toEqual(
    [...earlierDisputes, ...disputedHolds].toSorted(),
  );
});

/** Amount and status of each dispute of an authorisation, in the order of their latest changes. */
async function disputesOf(reference: string): Promise<[number, string][]> {
  const { disputes } = (await (
    await client.sendRaw('GET', '/v1/disputes/after/0')
  ).json()) as DisputeList;
  return disputes
    .filter(({ authorisation: disputedReference }) => disputedReference === reference)
    .map(({ amount, status }) => [amount, status]);
}

const disputePart = (reference: string, amount?: number): Promise<Response> =>
  client.sendRaw('POST', networkPaths.disputeOf(reference), { reason: 'general', amount });

test('parts of an approval are disputed one by one, never more than the rest', async () => {
  const { reference } = createAuthorisationRequest({ amount: 2500 });
  await client.authorise(createAuthorisationRequest({ reference, amount: 2500 }));
  await client.refund(reference, { reference: 'first-refund', amount: 500, currency: 'USD' });
  const firstDispute = (await (await disputePart(reference, 700)).json()) as NetworkDispute;
  expect((await disputePart(reference, 700)).status).toBe(200);
  expect((await disputePart(reference, 601)).status).toBe(404);
  const responsePath = networkPaths.disputeResponse(firstDispute.reference);
  await client.sendRaw('POST', responsePath, { evidence: 'They came.' });
  expect((await disputePart(reference)).status).toBe(200);
  expect(await disputesOf(reference)).toEqual([
    [700, 'open'],
    [700, 'won'],
    [1300, 'open'],
  ]);
  expect((await disputePart(reference)).status).toBe(200);
  expect(await disputesOf(reference)).toHaveLength(3);
});

test('the payer disputes the requested parts, of a hold once it is captured', async () => {
  const simulate = 'disputes:400,600';
  const [sale, holdRequest] = [
    createAuthorisationRequest({ simulate }),
    createAuthorisationRequest({ simulate, capture: false }),
  ];
  await client.authorise(sale);
  await client.authorise(holdRequest);
  expect(await disputesOf(sale.reference)).toEqual([
    [400, 'open'],
    [600, 'open'],
  ]);
  expect(await disputesOf(holdRequest.reference)).toEqual([]);
  await client.capture(holdRequest.reference, {
    reference: 'capture-900',
    amount: 900,
    currency: 'USD',
  });
  expect(await disputesOf(holdRequest.reference)).toEqual([[400, 'open']]);
});

test('a ledger of an earlier version, with one dispute per authorisation, accepts several', async () => {
  const earlierDir = createDataDir();
  const db = new DatabaseSync(join(earlierDir, 'books.sqlite'));
  db.exec(`create table disputes (
    reference text primary key, authorisation text not null unique, amount integer not null check (amount > 0),
    currency text not null, reason text not null, status text not null, position integer not null unique
  ) strict, without rowid`);
  db.exec(`insert into disputes values ('dispute-a', 'a', 100, 'USD', 'general', 'won', 7)`);
  db.close();
  await using upgradedSimulator = await createSimulator({ dataDir: earlierDir, port: 0 });
  const upgradedClient = createClient(upgradedSimulator.url);
  const request = createAuthorisationRequest({ amount: 19_708, simulate: 'disputes:1' });
  await upgradedClient.authorise(request);
  await upgradedClient.sendRaw('POST', networkPaths.disputeOf(request.reference), {
    reason: 'general',
    amount: 1,
  });
  const response = (await (
    await upgradedClient.sendRaw('GET', '/v1/disputes/after/0')
  ).json()) as DisputeList;
  expect(response.disputes.map(({ reference, position }) => [reference, position])).toEqual([
    ['dispute-a', 7],
    [`dispute-${request.reference}`, 8],
  ]);
});

test('a merchant-initiated charge is approved if it refers to an approval of the same card', async () => {
  const approval = await client.authorise(createAuthorisationRequest());
  const original_transaction_id = approval.network_transaction_id ?? '';
  const charge = async (id: string, number?: string) => {
    const initiated_by_merchant = { original_transaction_id: id };
    const card = number === undefined ? {} : { card: { number } };
    return (await client.authorise(createAuthorisationRequest({ initiated_by_merchant, ...card })))
      .result;
  };
  expect(await charge(original_transaction_id)).toBe('approved');
  expect(await charge('012345678901234')).toBe('declined');
  expect(await charge(original_transaction_id, numberOf('pan_test_discover'))).toBe('declined');
  const declinedAnswer = await client.authorise(
    createAuthorisationRequest({ card: { number: numberOf('pan_test_insufficient_funds') } }),
  );
  const declinedNumber = numberOf('pan_test_insufficient_funds');
  expect(await charge(declinedAnswer.network_transaction_id ?? '', declinedNumber)).toBe(
    'declined',
  );
});

test('a duplicate answer is sent twice, as the last one on its connection', async () => {
  const request = createAuthorisationRequest({ simulate: 'duplicate_answer' });
  const body = JSON.stringify(request);
  const { hostname, port } = new URL(simulator.url);
  const socket = connect(Number(port), hostname);
  const length = Buffer.byteLength(body);
  socket.write(
    `POST ${networkPaths.authorisations} HTTP/1.1\r\nhost: network\r\ncontent-length: ${length}\r\n\r\n${body}`,
  );
  const answers = (await text(socket)).split('HTTP/1.1 200 OK').slice(1);
  expect(answers.map((answer) => answer.includes(request.reference))).toEqual([true, true]);
  expect(await client.inquire(request.reference)).toMatchObject({ result: 'approved' });
});
