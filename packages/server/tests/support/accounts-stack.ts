import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { type Client, createClient, type ResourceObject } from './client.ts';
import { makeDemand, makeParties, waitForOutcome } from './make.ts';
import { exampleAdapter, twoStepAdapter } from './network-adapter.ts';
import { type Operator, operatorOf } from './operator.ts';

/** The network approves this amount and loses its response. */
export const LOST_ANSWER_CENTS = 19_701;
export const API_KEY = 'sk_example_5d0c9c1b7a52';

type OperatorAnswer = ReturnType<Operator['send']>;

/** A Florin with two networks, at which a test connects accounts. Every test begins without accounts. */
export interface AccountsStack {
  stack: Stack;
  db: Database;
  client: Client;
  live: Client;
  operator: Operator;
  /** Addresses of two simulated networks, and of a server that refuses all credentials. */
  networks: Record<'eu' | 'us', string>;
  refusingUrl: string;
  draftOf(name: string, origin: string, change?: object): object;
  createAccount(name: string, origin: string, change?: object): Promise<string>;
  /** Creates and enables an account that takes all payments of the sandbox. */
  connect(name: string, origin: string, change?: object): Promise<string>;
  act(id: string, action: string, body?: object): OperatorAnswer;
  /** Removes an account whose payments can still be refunded. */
  removeForGood(id: string): OperatorAnswer;
  setRules(rules: readonly object[]): OperatorAnswer;
  /** Releases a hold, which keeps its account. */
  voidPayment(id: string): Promise<ResourceObject>;
  statusOf(id: string): Promise<string>;
  countApproved(url: string): Promise<number>;
  pay(attributes: object): Promise<{ id: string; status: string }>;
  attemptOf(payment_demand_id: string): Promise<Row | undefined>;
}

/** Starts Florin, two networks and a server that refuses credentials for a test file. */
export function useAccountsStack(): AccountsStack {
  const cleanup = new AsyncDisposableStack();
  const context = { networks: {} } as AccountsStack;
  beforeAll(async () => {
    for (const name of ['eu', 'us'] as const) {
      const dataDir = await mkdtemp(join(tmpdir(), `florin-${name}-`));
      cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
      context.networks[name] = cleanup.use(await startSimulator(dataDir, 0)).url;
    }
    context.refusingUrl = await startRefusingServer(cleanup);
    const stack = cleanup.use(
      await startStack({
        adapters: { example: exampleAdapter, two_step: twoStepAdapter },
        egress: [...Object.values(context.networks), context.refusingUrl],
      }),
    );
    const { sandbox, live } = stack.credentials;
    Object.assign(context, {
      stack,
      db: cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 })),
      client: createClient(stack.baseUrl, sandbox.secret_key),
      live: createClient(stack.baseUrl, live.secret_key),
      operator: operatorOf({ stack }),
    });
  });
  afterAll(() => cleanup.disposeAsync());
  beforeEach(() => removeAccounts(context));
  return Object.assign(context, operatorActions(context), shopActions(context));
}

async function startRefusingServer(cleanup: AsyncDisposableStack): Promise<string> {
  const server = createServer((_, response) => response.writeHead(401).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function removeAccounts({ operator, setRules, act, removeForGood }: AccountsStack) {
  await setRules([]);
  const { body } = await operator.get('/processor_accounts');
  for (const { id, status } of body.data) {
    if (status === 'enabled') await act(id, 'pause');
    if (status === 'removed') continue;
    const removal = await removeForGood(id);
    expect([removal.status, removal.body?.errors]).toEqual([204, undefined]);
  }
}

type OperatorActions = Pick<
  AccountsStack,
  'draftOf' | 'createAccount' | 'connect' | 'act' | 'removeForGood' | 'setRules' | 'statusOf'
>;

const operatorActions = (florin: AccountsStack): OperatorActions => ({
  draftOf: (name, origin, change = {}) => ({
    processor: 'example',
    mode: 'sandbox',
    name,
    settings: { origin },
    secrets: { api_key: API_KEY },
    ...change,
  }),
  async createAccount(name, origin, change) {
    const draft = florin.draftOf(name, origin, change);
    const { status, body } = await florin.operator.send('POST', '/processor_accounts', draft);
    expect([status, body.errors]).toEqual([201, undefined]);
    return body.data.id;
  },
  async connect(name, origin, change) {
    const id = await florin.createAccount(name, origin, change);
    expect((await florin.act(id, 'enable')).status).toBe(204);
    await florin.setRules([{ name: 'All', accounts: [id] }]);
    return id;
  },
  act: (id, action, body = {}) =>
    florin.operator.send('POST', `/processor_accounts/${id}/${action}`, body),
  removeForGood: (id) => florin.act(id, 'remove', { give_up_refunds: true }),
  setRules: (rules) => florin.operator.send('PUT', '/routing/sandbox', { rules }),
  statusOf: async (id) => (await florin.operator.get(`/processor_accounts/${id}`)).body.data.status,
});

type ShopActions = Pick<AccountsStack, 'voidPayment' | 'countApproved' | 'pay' | 'attemptOf'>;

const shopActions = (florin: AccountsStack): ShopActions => ({
  async voidPayment(id) {
    await florin.client.send('PATCH', `/v2/payment_demands/${id}/void`);
    return waitForOutcome(florin.client, id);
  },
  countApproved: async (url) =>
    ((await (await fetch(`${url}/v1/books`)).json()) as { approved: number }).approved,
  async pay(attributes) {
    const parties = await makeParties(florin.client);
    const { id } = await makeDemand(florin.client, { confirmed: true, ...attributes }, parties);
    return { id, status: (await waitForOutcome(florin.client, id)).attributes.status };
  },
  async attemptOf(payment_demand_id) {
    const [attempt] = await florin.db.query(
      `select id, processor, processor_account_id, processor_reference, codes, route from attempts
       where payment_demand_id = $1 order by id desc limit 1`,
      [payment_demand_id],
    );
    return attempt;
  },
});
