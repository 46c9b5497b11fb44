import type { Books } from '@florin/contract/protocol/network.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Client, createClient, documentOf } from '../support/client.ts';
import { makePaid, settled } from '../support/make.ts';

const cleanup = new AsyncDisposableStack();
let stack: Stack;
/** One of each of two servers that share a database. */
let clients: [Client, Client];
beforeAll(async () => {
  stack = cleanup.use(await startStack());
  const { dataDir, vaultSocket: socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl } = stack;
  const parts = { dataDir, socketPath, simulatorUrl, databaseUrl, vaultDatabaseUrl };
  const second = cleanup.use(await startServer({ port: 0, ...parts }));
  const key = stack.credentials.sandbox.secret_key;
  clients = [createClient(stack.baseUrl, key), createClient(second.url, key)];
});
afterAll(() => cleanup.disposeAsync());

const books = async (): Promise<Books> =>
  (await (await fetch(`${stack.simulatorUrl}/v1/books`)).json()) as Books;

const PAID_CENTS = 2500;
const REFUNDS = 100;
const amounts = Array.from({ length: REFUNDS }, (_, nth) => 50 + (nth % 7) * 10);
const EXHAUSTED = ['has already been fully refunded', 'greater than the unrefunded amount'];

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

it('a hundred refunds at once, over two servers, never exceed the payment', async () => {
  const payment_demand = await makePaid(clients[0], { amount_cents: PAID_CENTS });
  const ask = (amount_cents: number, nth: number): Promise<Answer> => {
    const attributes = { reason: 'duplicate_charge', amount_cents };
    const document = documentOf('refund_demands', attributes, { payment_demand });
    return (clients[nth % 2] as Client).send('POST', '/v2/refund_demands', document);
  };
  const answers = await Promise.all(amounts.map(ask));

  const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.data);
  const refunded = sum(made.map(({ attributes }) => attributes.amount_cents));
  expect(refunded).toBeLessThanOrEqual(PAID_CENTS);
  const refused = amounts.filter((_, nth) => answers[nth]?.status !== 201);
  expect(Math.min(...refused)).toBeGreaterThan(PAID_CENTS - refunded);
  const titles = answers.flatMap(({ body }) => body.errors?.map(({ title }) => title) ?? []);
  expect(titles).toHaveLength(refused.length);
  expect(titles.filter((title) => !EXHAUSTED.includes(title))).toEqual([]);

  for (const { id } of made) {
    const { attributes } = await settled(clients[1], id, 'refund_demands');
    expect(attributes.status).toBe('succeeded');
  }
  const { attributes } = await clients[0].fetch('payment_demands', payment_demand.id);
  expect(attributes.amount_refunded_cents).toBe(refunded);
  const about = `filter[resource_id]=${payment_demand.id}&filter[slug]=refunded&page[size]=500`;
  expect((await clients[0].get(`/v2/events?${about}`)).body.data).toHaveLength(made.length);
  expect(await books()).toMatchObject({ refunds: made.length, refunded });
});
