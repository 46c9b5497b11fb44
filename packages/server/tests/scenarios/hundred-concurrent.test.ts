import { randomUUID } from 'node:crypto';
import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import {
  type Answer,
  type Client,
  createClient,
  documentOf,
  type Relations,
  type ResourceObject,
} from '../support/client.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  purchase,
  waitForOutcome,
} from '../support/make.ts';

const api = useApi();
const cleanup = new AsyncDisposableStack();
/** One client for each of two servers that share a database. */
let clients: [Client, Client];
let parties: Relations;
beforeAll(async () => {
  const { stack } = api;
  const secondServer = await startServer({ ...stack, port: 0, socketPath: stack.vaultSocket });
  cleanup.use(secondServer);
  clients = [api.client, createClient(secondServer.url, stack.credentials.sandbox.secret_key)];
  parties = await makeParties(api.client);
});
afterAll(() => cleanup.disposeAsync());

/** An even number. `npm run test:fuzz` sends a hundred. */
const REQUESTS = Number(process.env.FLORIN_CONCURRENT_REQUESTS ?? 8);
const PAID_CENTS = 2500;

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

/** Counts of the network that changed. */
async function countChangesSince(countsBefore: NetworkCounts): Promise<Partial<NetworkCounts>> {
  const names = ['approved', 'declined', 'reversed', 'captured', 'refunded'] as const;
  const countsAfter = await readCounts();
  return Object.fromEntries(
    names
      .map((name) => [name, countsAfter[name] - countsBefore[name]])
      .filter(([, change]) => change),
  );
}

/** A request to one of the servers. All requests of a case with a key share it. */
type SendRequest = (client: Client, payment: ResourceObject, key: string) => Promise<Answer>;

const sendAction =
  (action: 'confirm' | 'cancel' | 'void'): SendRequest =>
  (client, { id }) =>
    client.send('PATCH', `/v2/payment_demands/${id}/${action}`);

const post = (
  client: Client,
  type: string,
  attributes: object,
  relations: Relations,
  key?: string,
) =>
  client.send(
    'POST',
    `/v2/${type}`,
    documentOf(type, attributes, relations),
    key === undefined ? {} : { 'idempotency-key': key },
  );

const capture: SendRequest = (client, payment_demand) =>
  post(client, 'capture_demands', {}, { payment_demand });

const keyedRequests = {
  payment: (client, _payment, key) =>
    post(client, 'payment_demands', { ...purchase, confirmed: true }, parties, key),
  capture: (client, payment_demand, key) =>
    post(client, 'capture_demands', { amount_cents: 700 }, { payment_demand }, key),
  refund: (client, payment_demand, key) =>
    post(client, 'refund_demands', refundOf(700), { payment_demand }, key),
  confirm: (client, { id }, key) =>
    client.send('PATCH', `/v2/payment_demands/${id}/confirm`, undefined, {
      'idempotency-key': key,
    }),
} as const satisfies Record<string, SendRequest>;

const refundOf = (amount_cents: number) => ({ reason: 'duplicate_charge', amount_cents });

/** A possible result: the payment's state, the number of requests per status, and the network's changes. */
interface Outcome {
  readonly payment: string;
  readonly statusCounts: Readonly<Record<number, number>>;
  readonly countChanges: Partial<NetworkCounts>;
}

interface Case {
  readonly name: string;
  readonly make: () => Promise<ResourceObject>;
  /** Requests that are sent in turn. */
  readonly requests: readonly SendRequest[];
  readonly outcomes: readonly Outcome[];
}

const makeIntent = () => makeDemand(clients[0], {}, parties);
const makeHeldPayment = () => makeAuthorisedPayment(clients[0]);
const makePaidPayment = () => makeCapturedPayment(clients[0], { amount_cents: PAID_CENTS });

const [ALL_BUT_ONE, HALF] = [REQUESTS - 1, REQUESTS / 2];
const APPROVAL = { approved: 1 };
const RELEASE = { approved: -1, reversed: 1 };
const CAPTURE = { captured: PAID_CENTS };

const cases: readonly Case[] = [
  {
    name: 'confirmations of an intent',
    make: makeIntent,
    requests: [sendAction('confirm')],
    outcomes: [
      { payment: 'succeeded', statusCounts: { 200: 1, 405: ALL_BUT_ONE }, countChanges: APPROVAL },
    ],
  },
  {
    name: 'confirmations with one key',
    make: makeIntent,
    requests: [keyedRequests.confirm],
    outcomes: [{ payment: 'succeeded', statusCounts: { 200: REQUESTS }, countChanges: APPROVAL }],
  },
  {
    name: 'confirmations and cancellations of an intent',
    make: makeIntent,
    requests: [sendAction('confirm'), sendAction('cancel')],
    outcomes: [
      { payment: 'succeeded', statusCounts: { 200: 1, 405: ALL_BUT_ONE }, countChanges: APPROVAL },
      { payment: 'canceled', statusCounts: { 200: 1, 405: ALL_BUT_ONE }, countChanges: {} },
    ],
  },
  {
    name: 'captures of a hold',
    make: makeHeldPayment,
    requests: [capture],
    outcomes: [
      { payment: 'succeeded', statusCounts: { 201: 1, 422: ALL_BUT_ONE }, countChanges: CAPTURE },
    ],
  },
  {
    name: 'captures with one key',
    make: makeHeldPayment,
    requests: [keyedRequests.capture],
    outcomes: [
      { payment: 'succeeded', statusCounts: { 201: REQUESTS }, countChanges: { captured: 700 } },
    ],
  },
  {
    name: 'captures of a part that leave the hold',
    make: makeHeldPayment,
    requests: [
      (client, payment_demand) =>
        post(client, 'capture_demands', { amount_cents: 700, final: false }, { payment_demand }),
    ],
    // While a capture is in progress, others are refused. Three parts fit into the hold.
    outcomes: [1, 2, 3].map((count) => ({
      payment: 'authorised',
      statusCounts: { 201: count, 422: REQUESTS - count },
      countChanges: { captured: 700 * count },
    })),
  },
  {
    name: 'voids of a hold',
    make: makeHeldPayment,
    requests: [sendAction('void')],
    outcomes: [
      { payment: 'canceled', statusCounts: { 200: 1, 405: ALL_BUT_ONE }, countChanges: RELEASE },
    ],
  },
  {
    name: 'captures and voids of a hold',
    make: makeHeldPayment,
    requests: [capture, sendAction('void')],
    outcomes: [
      {
        payment: 'succeeded',
        statusCounts: { 201: 1, 422: HALF - 1, 405: HALF },
        countChanges: CAPTURE,
      },
      {
        payment: 'canceled',
        statusCounts: { 200: 1, 422: HALF, 405: HALF - 1 },
        countChanges: RELEASE,
      },
    ],
  },
  {
    name: 'refunds of all that was paid',
    make: makePaidPayment,
    requests: [
      (client, payment_demand) =>
        post(client, 'refund_demands', refundOf(PAID_CENTS), { payment_demand }),
    ],
    outcomes: [
      {
        payment: 'succeeded',
        statusCounts: { 201: 1, 422: ALL_BUT_ONE },
        countChanges: { refunded: PAID_CENTS },
      },
    ],
  },
  {
    name: 'refunds with one key',
    make: makePaidPayment,
    requests: [keyedRequests.refund],
    outcomes: [
      { payment: 'succeeded', statusCounts: { 201: REQUESTS }, countChanges: { refunded: 700 } },
    ],
  },
];

it.each(cases)('concurrent $name over two servers have one effect', async (testCase) => {
  const payment = await testCase.make();
  const countsBefore = await readCounts();
  const key = randomUUID();
  const requests = Array.from({ length: REQUESTS }, (_, nth) =>
    (testCase.requests[nth % testCase.requests.length] as SendRequest)(clientOf(nth), payment, key),
  );
  const answers = await Promise.all(requests);
  await waitForAll(recordsOf(answers));
  const { attributes } = await eventually(
    () => clients[0].fetch('payment_demands', payment.id),
    ({ attributes: { status } }) => !['pending', 'processing'].includes(status),
  );
  expect(testCase.outcomes).toContainEqual({
    payment: attributes.status,
    statusCounts: countByStatus(answers),
    countChanges: await countChangesSince(countsBefore),
  });
});

/** Neighbouring requests of two kinds go to different servers, and both kinds to both. */
const clientOf = (nth: number): Client => clients[((nth >> 1) + nth) % 2] as Client;

const recordsOf = (answers: readonly Answer[]): ResourceObject[] =>
  answers.filter(({ status }) => status === 201).map(({ body }) => body.data);

type DemandType = Parameters<typeof waitForOutcome>[2];

/** Waits for the outcome of each record. */
const waitForAll = (records: readonly ResourceObject[]): Promise<ResourceObject[]> => {
  const typesById = new Map(records.map(({ type, id }) => [id, type as DemandType]));
  return Promise.all([...typesById].map(([id, type]) => waitForOutcome(clients[0], id, type)));
};

const countByStatus = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, sameStatusAnswers]) => [
      status,
      sameStatusAnswers.length,
    ]),
  );

it('concurrent payments with one key over two servers create one', async () => {
  const countsBefore = await readCounts();
  const key = randomUUID();
  const requests = Array.from({ length: REQUESTS }, (_, nth) =>
    keyedRequests.payment(clientOf(nth), undefined as never, key),
  );
  const answers = await Promise.all(requests);
  expect(countByStatus(answers)).toEqual({ 201: REQUESTS });
  const [record, ...otherRecords] = await waitForAll(recordsOf(answers));
  expect([record?.attributes.status, otherRecords]).toEqual(['succeeded', []]);
  expect(await countChangesSince(countsBefore)).toEqual(APPROVAL);
});

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
/** Makes the refunds together exceed the payment, for any number of them. */
const AMOUNT_STEP = Math.ceil(1_000 / REQUESTS);
const EXHAUSTED = ['has already been fully refunded', 'greater than the unrefunded amount'];

it('concurrent partial refunds over two servers never exceed the payment', async () => {
  const payment = await makePaidPayment();
  const countsBefore = await readCounts();
  const amounts = Array.from({ length: REQUESTS }, (_, nth) => (5 + (nth % 7)) * AMOUNT_STEP);
  const requests = amounts.map((amount, nth) =>
    post(clientOf(nth), 'refund_demands', refundOf(amount), { payment_demand: payment }),
  );
  const answers = await Promise.all(requests);

  const records = recordsOf(answers);
  const refundedCents = sum(records.map(({ attributes }) => attributes.amount_cents));
  expect(refundedCents).toBeLessThanOrEqual(PAID_CENTS);
  const refusedCents = amounts.filter((_, nth) => answers[nth]?.status !== 201);
  expect(Math.min(...refusedCents)).toBeGreaterThan(PAID_CENTS - refundedCents);
  const titles = answers.flatMap(({ body }) => body.errors?.map(({ title }) => title) ?? []);
  expect(titles).toHaveLength(refusedCents.length);
  expect(titles.filter((title) => !EXHAUSTED.includes(title))).toEqual([]);

  const outcomes = (await waitForAll(records)).map(({ attributes }) => attributes.status);
  expect(new Set(outcomes)).toEqual(new Set(['succeeded']));
  const { attributes } = await clients[1].fetch('payment_demands', payment.id);
  expect(attributes.amount_refunded_cents).toBe(refundedCents);
  const filter = `filter[resource_id]=${payment.id}&filter[slug]=refunded&page[size]=500`;
  const { body } = await clients[0].get(`/v2/events?${filter}`);
  expect(body.data).toHaveLength(records.length);
  expect(await countChangesSince(countsBefore)).toEqual({ refunded: refundedCents });
});
