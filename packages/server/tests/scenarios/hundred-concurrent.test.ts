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
  const second = await startServer({ ...stack, port: 0, socketPath: stack.vaultSocket });
  cleanup.use(second);
  clients = [api.client, createClient(second.url, stack.credentials.sandbox.secret_key)];
  parties = await makeParties(api.client);
});
afterAll(() => cleanup.disposeAsync());

/** An even number. `npm run test:fuzz` sends a hundred. */
const REQUESTS = Number(process.env.FLORIN_CONCURRENT_REQUESTS ?? 8);
const PAID_CENTS = 2500;

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

/** Counts of the network that changed. */
async function movedSince(before: NetworkCounts): Promise<Partial<NetworkCounts>> {
  const names = ['approved', 'declined', 'reversed', 'captured', 'refunded'] as const;
  const after = await readCounts();
  return Object.fromEntries(
    names.map((name) => [name, after[name] - before[name]]).filter(([, moved]) => moved),
  );
}

/** A request to one of the servers. All requests of a case with a key share it. */
type Ask = (client: Client, payment: ResourceObject, key: string) => Promise<Answer>;

const act =
  (action: 'confirm' | 'cancel' | 'void'): Ask =>
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

const capture: Ask = (client, payment_demand) =>
  post(client, 'capture_demands', {}, { payment_demand });

const twins = {
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
} as const satisfies Record<string, Ask>;

const refundOf = (amount_cents: number) => ({ reason: 'duplicate_charge', amount_cents });

/** A possible result: the payment's state, the number of requests per status, and the network's changes. */
interface End {
  readonly payment: string;
  readonly answers: Readonly<Record<number, number>>;
  readonly moved: Partial<NetworkCounts>;
}

interface Case {
  readonly what: string;
  readonly make: () => Promise<ResourceObject>;
  /** Requests that are sent in turn. */
  readonly asks: readonly Ask[];
  readonly ends: readonly End[];
}

const makeIntent = () => makeDemand(clients[0], {}, parties);
const makeHeldPayment = () => makeAuthorisedPayment(clients[0]);
const makePaidPayment = () => makeCapturedPayment(clients[0], { amount_cents: PAID_CENTS });

const [OTHERS, HALF] = [REQUESTS - 1, REQUESTS / 2];
const approved = { approved: 1 };
const letGo = { approved: -1, reversed: 1 };
const collected = { captured: PAID_CENTS };

const cases: readonly Case[] = [
  {
    what: 'confirmations of an intent',
    make: makeIntent,
    asks: [act('confirm')],
    ends: [{ payment: 'succeeded', answers: { 200: 1, 405: OTHERS }, moved: approved }],
  },
  {
    what: 'confirmations with one key',
    make: makeIntent,
    asks: [twins.confirm],
    ends: [{ payment: 'succeeded', answers: { 200: REQUESTS }, moved: approved }],
  },
  {
    what: 'confirmations and cancellations of an intent',
    make: makeIntent,
    asks: [act('confirm'), act('cancel')],
    ends: [
      { payment: 'succeeded', answers: { 200: 1, 405: OTHERS }, moved: approved },
      { payment: 'canceled', answers: { 200: 1, 405: OTHERS }, moved: {} },
    ],
  },
  {
    what: 'captures of a hold',
    make: makeHeldPayment,
    asks: [capture],
    ends: [{ payment: 'succeeded', answers: { 201: 1, 422: OTHERS }, moved: collected }],
  },
  {
    what: 'captures with one key',
    make: makeHeldPayment,
    asks: [twins.capture],
    ends: [{ payment: 'succeeded', answers: { 201: REQUESTS }, moved: { captured: 700 } }],
  },
  {
    what: 'voids of a hold',
    make: makeHeldPayment,
    asks: [act('void')],
    ends: [{ payment: 'canceled', answers: { 200: 1, 405: OTHERS }, moved: letGo }],
  },
  {
    what: 'captures and voids of a hold',
    make: makeHeldPayment,
    asks: [capture, act('void')],
    ends: [
      { payment: 'succeeded', answers: { 201: 1, 422: HALF - 1, 405: HALF }, moved: collected },
      { payment: 'canceled', answers: { 200: 1, 422: HALF, 405: HALF - 1 }, moved: letGo },
    ],
  },
  {
    what: 'refunds of all that was paid',
    make: makePaidPayment,
    asks: [
      (client, payment_demand) =>
        post(client, 'refund_demands', refundOf(PAID_CENTS), { payment_demand }),
    ],
    ends: [
      { payment: 'succeeded', answers: { 201: 1, 422: OTHERS }, moved: { refunded: PAID_CENTS } },
    ],
  },
  {
    what: 'refunds with one key',
    make: makePaidPayment,
    asks: [twins.refund],
    ends: [{ payment: 'succeeded', answers: { 201: REQUESTS }, moved: { refunded: 700 } }],
  },
];

it.each(cases)('concurrent $what over two servers have one effect', async (one) => {
  const payment = await one.make();
  const before = await readCounts();
  const key = randomUUID();
  const requests = Array.from({ length: REQUESTS }, (_, nth) =>
    (one.asks[nth % one.asks.length] as Ask)(clientOf(nth), payment, key),
  );
  const answers = await Promise.all(requests);
  await fetchAll(madeBy(answers));
  const { attributes } = await waitForOutcome(clients[0], payment.id);
  expect(one.ends).toContainEqual({
    payment: attributes.status,
    answers: countsOf(answers),
    moved: await movedSince(before),
  });
});

/** Neighbouring requests of two kinds go to different servers, and both kinds to both. */
const clientOf = (nth: number): Client => clients[((nth >> 1) + nth) % 2] as Client;

const madeBy = (answers: readonly Answer[]): ResourceObject[] =>
  answers.filter(({ status }) => status === 201).map(({ body }) => body.data);

type MethodOutcome = Parameters<typeof waitForOutcome>[2];

/** Waits for the outcome of each record. */
const fetchAll = (records: readonly ResourceObject[]): Promise<ResourceObject[]> => {
  const distinct = new Map(records.map(({ type, id }) => [id, type as MethodOutcome]));
  return Promise.all([...distinct].map(([id, type]) => waitForOutcome(clients[0], id, type)));
};

const countsOf = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, those]) => [
      status,
      those.length,
    ]),
  );

it('concurrent payments with one key over two servers create one', async () => {
  const before = await readCounts();
  const key = randomUUID();
  const requests = Array.from({ length: REQUESTS }, (_, nth) =>
    twins.payment(clientOf(nth), undefined as never, key),
  );
  const answers = await Promise.all(requests);
  expect(countsOf(answers)).toEqual({ 201: REQUESTS });
  const [record, ...others] = await fetchAll(madeBy(answers));
  expect([record?.attributes.status, others]).toEqual(['succeeded', []]);
  expect(await movedSince(before)).toEqual(approved);
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
/** Makes the refunds together exceed the payment, for any number of them. */
const AMOUNT_STEP = Math.ceil(1_000 / REQUESTS);
const EXHAUSTED = ['has already been fully refunded', 'greater than the unrefunded amount'];

it('concurrent partial refunds over two servers never exceed the payment', async () => {
  const payment = await makePaidPayment();
  const before = await readCounts();
  const amounts = Array.from({ length: REQUESTS }, (_, nth) => (5 + (nth % 7)) * AMOUNT_STEP);
  const requests = amounts.map((amount, nth) =>
    post(clientOf(nth), 'refund_demands', refundOf(amount), { payment_demand: payment }),
  );
  const answers = await Promise.all(requests);

  const records = madeBy(answers);
  const refunded = sum(records.map(({ attributes }) => attributes.amount_cents));
  expect(refunded).toBeLessThanOrEqual(PAID_CENTS);
  const refused = amounts.filter((_, nth) => answers[nth]?.status !== 201);
  expect(Math.min(...refused)).toBeGreaterThan(PAID_CENTS - refunded);
  const titles = answers.flatMap(({ body }) => body.errors?.map(({ title }) => title) ?? []);
  expect(titles).toHaveLength(refused.length);
  expect(titles.filter((title) => !EXHAUSTED.includes(title))).toEqual([]);

  const outcomes = (await fetchAll(records)).map(({ attributes }) => attributes.status);
  expect(new Set(outcomes)).toEqual(new Set(['succeeded']));
  const { attributes } = await clients[1].fetch('payment_demands', payment.id);
  expect(attributes.amount_refunded_cents).toBe(refunded);
  const about = `filter[resource_id]=${payment.id}&filter[slug]=refunded&page[size]=500`;
  const { body } = await clients[0].get(`/v2/events?${about}`);
  expect(body.data).toHaveLength(records.length);
  expect(await movedSince(before)).toEqual({ refunded });
});
