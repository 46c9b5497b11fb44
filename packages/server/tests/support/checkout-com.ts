import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { type Client, createClient } from './client.ts';
import type { createClockAhead } from './clock-ahead.ts';
import { type Operator, operatorOf } from './operator.ts';

const CHANNEL = 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const SECRET_KEY = 'sk_sbox_abcdefghijklmnopqrstuvwxyz2';
const SIGNATURE_KEY = 'signature-key-of-the-tests';

/** A payment at the stand-in, with the members that tests compare. */
export interface StandInPayment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly balances: Readonly<Record<string, number>>;
}

/** A Florin whose sandbox payments go to the stand-in of Checkout.com, which notifies it. */
export interface CheckoutStack {
  stack: Stack;
  client: Client;
  db: Database;
  operator: Operator;
  /** Id of the processor account. */
  account: string;
  /** Calls the control surface of the stand-in. */
  control(method: string, path: string, body?: object): Promise<void>;
  /** Changes settings of the stand-in's account. */
  configure(settings?: object): Promise<void>;
  /** Payments at the stand-in with the reference of an attempt. */
  paymentsOf(reference: string): Promise<StandInPayment[]>;
}

/** Starts Florin and the stand-in for a test file. With a clock, Florin's waits pass at once. */
export function useCheckoutStack(clock?: ReturnType<typeof createClockAhead>): CheckoutStack {
  const cleanup = new AsyncDisposableStack();
  const context = {} as CheckoutStack;
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'florin-checkout-com-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const simulator = cleanup.use(await startSimulator(dataDir, 0));
    const api_url = `${simulator.url}/checkout-com`;
    const stack = cleanup.use(
      await startStack({
        egress: [simulator.url],
        ...(clock && { config: { clock }, now: () => new Date(clock.now() / 1000) }),
      }),
    );
    const db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
    const operator = operatorOf({ stack } as never);
    const standIn = createStandIn(api_url);
    Object.assign(context, standIn, { stack, db, operator });
    context.client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
    await standIn.configure();
    context.account = await connectAccount(operator, api_url);
    const webhook_url = `${stack.baseUrl}/notifications/${context.account}`;
    context.configure = (settings = {}) => standIn.configure({ webhook_url, ...settings });
    await context.configure();
  });
  afterAll(() => cleanup.disposeAsync());
  return context;
}

async function connectAccount(operator: Operator, api_url: string): Promise<string> {
  const created = await operator.send('POST', '/processor_accounts', {
    processor: 'checkout_com',
    mode: 'sandbox',
    name: 'Checkout.com',
    settings: { api_url, processing_channel_id: CHANNEL },
    secrets: { secret_key: SECRET_KEY, signature_key: SIGNATURE_KEY },
  });
  expect([created.status, created.body.errors]).toEqual([201, undefined]);
  const { id } = created.body.data;
  expect((await operator.send('POST', `/processor_accounts/${id}/enable`, {})).status).toBe(204);
  const rules = [{ name: 'All', accounts: [id] }];
  expect((await operator.send('PUT', '/routing/sandbox', { rules })).status).toBe(204);
  return id;
}

function createStandIn(url: string): Pick<CheckoutStack, 'control' | 'configure' | 'paymentsOf'> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET_KEY}` };
  const control: CheckoutStack['control'] = async (method, path, body) => {
    const response = await fetch(`${url}/control${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  };
  const read = async (path: string) => (await fetch(url + path, { headers })).json();
  return {
    control,
    configure: (settings = {}) =>
      control('PUT', `/accounts/${CHANNEL}`, {
        secret_key: SECRET_KEY,
        webhook_key: SIGNATURE_KEY,
        outcome_delay_ms: 50,
        ...settings,
      }),
    async paymentsOf(reference) {
      const { data } = (await read(`/payments?reference=${reference}&limit=100`)) as {
        data: { id: string }[];
      };
      return Promise.all(data.map(({ id }) => read(`/payments/${id}`) as Promise<StandInPayment>));
    },
  };
}
