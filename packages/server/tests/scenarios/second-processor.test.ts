import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DisputeList, networkPaths } from '@florin/contract/protocol/network.ts';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { NetworkProcessor } from '../../src/processors/port/processor.ts';
import { createSandboxProcessor } from '../../src/processors/sandbox/index.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeDispute,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';

const clock = createClockAhead();
/** The network approves this amount and loses its response. */
const LOST_ANSWER_CENTS = 19_701;

/** Another network, whose processor takes over while records of the first are open. */
let secondNetwork: { readonly url: string };
const cleanup = new AsyncDisposableStack();
const processors = new Map<string, NetworkProcessor>();
let currentProcessor = 'first';
let stack: Stack;
let client: Client;
let db: Database;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-second-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  secondNetwork = cleanup.use(await startSimulator(dataDir, 0));
  stack = await startStack({
    config: { clock },
    egress: [secondNetwork.url],
    processors: ({ simulatorUrl }) => {
      registerProcessor('first', simulatorUrl);
      registerProcessor('second', secondNetwork.url);
      return {
        of: (mode) => (mode === 'sandbox' ? processors.get(currentProcessor) : undefined),
        findByName: (name) => processors.get(name),
      };
    },
  });
  cleanup.use(stack);
  db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  currentProcessor = 'first';
});

function registerProcessor(name: string, simulatorUrl: string): void {
  const processor = createSandboxProcessor({ simulatorUrl });
  processors.set(name, { ...processor, metadata: { ...processor.metadata, name } });
}

const readCounts = async (url: string): Promise<Record<string, number>> =>
  (await fetch(`${url}/v1/books`)).json() as Promise<Record<string, number>>;

const makeUnknownPayment = async (): Promise<ResourceObject> => {
  const attributes = { confirmed: true, amount_cents: LOST_ANSWER_CENTS };
  const { id } = await makeDemand(client, attributes, await makeParties(client));
  return eventually(
    () => client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
};

const listDisputes = async (url: string): Promise<DisputeList> =>
  (await fetch(url + networkPaths.disputesAfter(0))).json() as Promise<DisputeList>;

/** Counts inquiries about a payment. */
async function countInquiries(payment_demand_id: string): Promise<number> {
  const [row] = await db.query('select inquiries from attempts where payment_demand_id = $1', [
    payment_demand_id,
  ]);
  return Number(row?.inquiries);
}

/** Waits until a record is final. Returns it. */
const waitUntilFinal = (type: string, { id }: ResourceObject): Promise<ResourceObject> =>
  eventually(
    () => client.fetch(type, id),
    ({ attributes: { status } }) => !['pending', 'processing', 'authorised'].includes(status),
  );

it('new payments go to the current processor', async () => {
  currentProcessor = 'second';
  const countBefore = (await readCounts(secondNetwork.url)).approved as number;
  expect((await makeCapturedPayment(client)).attributes.status).toBe('succeeded');
  expect((await readCounts(secondNetwork.url)).approved).toBe(countBefore + 1);
});

it('an inquiry goes to the processor of the payment', async () => {
  const { id } = await makeUnknownPayment();
  currentProcessor = 'second';
  clock.advance(20);
  expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
});

it('captures and refunds go to the processor of the authorisation', async () => {
  const payment = await makeAuthorisedPayment(client);
  currentProcessor = 'second';
  await makeCapture(client, payment);
  expect((await waitForOutcome(client, payment.id)).attributes.status).toBe('succeeded');
  const refund = await makeRefund(client, payment);
  expect((await waitUntilFinal('refund_demands', refund)).attributes.status).toBe('succeeded');
});

it('an inquiry about a refund goes to its processor', async () => {
  const payment = await makeCapturedPayment(client);
  const refund = await makeRefund(client, payment, { metadata: { simulate: 'lost_answer' } });
  await eventually(
    () => client.fetch('refund_demands', refund.id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  const secondCounts = await readCounts(secondNetwork.url);
  currentProcessor = 'second';
  clock.advance(20);
  expect((await waitUntilFinal('refund_demands', refund)).attributes.status).toBe('succeeded');
  expect(await readCounts(secondNetwork.url)).toEqual(secondCounts);
});

it('a void goes to the processor of the authorisation', async () => {
  const payment = await makeAuthorisedPayment(client);
  const countBefore = (await readCounts(stack.simulatorUrl)).reversed as number;
  currentProcessor = 'second';
  await client.send('PATCH', `/v2/payment_demands/${payment.id}/void`);
  clock.wake();
  expect((await waitUntilFinal('payment_demands', payment)).attributes.status).toBe('canceled');
  expect((await readCounts(stack.simulatorUrl)).reversed).toBe(countBefore + 1);
});

it('a merchant’s dispute response goes to the processor of the dispute', async () => {
  const dispute = await makeDispute(client);
  currentProcessor = 'second';
  await client.send('PATCH', `/v2/disputes/${dispute.id}/accept`);
  clock.wake();
  const disputeList = await eventually(
    () => listDisputes(stack.simulatorUrl),
    ({ disputes }) => disputes.some(({ status }) => status === 'lost'),
  );
  expect(disputeList.disputes.at(-1)?.status).toBe('lost');
});

it('records of an unregistered processor stay open until it is registered', async () => {
  const firstProcessor = processors.get('first') as NetworkProcessor;
  const payment = await makeCapturedPayment(client);
  const { id } = await makeUnknownPayment();
  currentProcessor = 'second';
  processors.delete('first');
  const refund = await makeRefund(client, payment);
  clock.advance(20);
  expect(
    await eventually(
      () => countInquiries(id),
      (count) => count > 1,
    ),
  ).toBeGreaterThan(1);
  expect((await client.fetch('payment_demands', id)).attributes.status).toBe('processing');
  const waitingRefund = await client.fetch('refund_demands', refund.id);
  expect(waitingRefund.attributes.status).toBe('pending');
  processors.set('first', firstProcessor);
  clock.advance(400);
  expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
  expect((await waitUntilFinal('refund_demands', refund)).attributes.status).toBe('succeeded');
});
