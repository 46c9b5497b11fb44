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

/** A stand-in of a processor, and Florin's account at it. */
interface StandIn {
  /** Name of the processor's adapter. */
  readonly processor: string;
  /** Path at the simulator, which the account's `api_url` ends in. */
  readonly path: string;
  /** Settings of the account besides `api_url`. */
  readonly settings: object;
  /** Names of further settings with the address of the stand-in. */
  readonly url_settings?: readonly string[];
  readonly secrets: object;
  /** Headers of the stand-in's control surface. */
  readonly headers: Readonly<Record<string, string>>;
  /** Path of the account on the control surface. */
  readonly account_path: string;
  /** Settings of the account at the stand-in besides the webhook's address. */
  readonly account_settings: object;
}

/** A Florin whose sandbox payments go to a stand-in, which notifies it. */
export interface StandInStack {
  stack: Stack;
  client: Client;
  db: Database;
  operator: Operator;
  /** Id of the processor account. */
  account: string;
  /** Address of the stand-in. */
  api_url: string;
  /** Calls the control surface of the stand-in. Returns the response's JSON, if there is any. */
  control(method: string, path: string, body?: object): Promise<unknown>;
  /** Changes settings of the account at the stand-in. */
  configure(settings?: object): Promise<void>;
  /** Creates and enables another account at the stand-in. Returns its id. */
  connect(account: AccountFields): Promise<string>;
  /** Replaces the routing rules of the sandbox. */
  route(rules: readonly object[]): Promise<void>;
}

/** Fields of an account besides `api_url`. */
type AccountFields = Pick<StandIn, 'settings' | 'url_settings' | 'secrets'> & {
  readonly name: string;
};

type StackConfig = NonNullable<NonNullable<Parameters<typeof startStack>[0]>['config']>;

/** Starts Florin and a stand-in for a test file. With a clock, Florin's waits pass at once. */
export function useStandInStack(
  standIn: StandIn,
  clock?: ReturnType<typeof createClockAhead>,
  config: StackConfig = {},
): StandInStack {
  const cleanup = new AsyncDisposableStack();
  const context = {} as StandInStack;
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'florin-stand-in-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const simulator = await startSimulator(dataDir, 0);
    const stack = cleanup.use(
      await startStack({
        egress: [simulator.url],
        config: { ...config, ...(clock && { clock }) },
        ...(clock && { now: () => new Date(clock.now() / 1000) }),
      }),
    );
    // Stops first, so that Florin does not wait for answers that a test delayed.
    cleanup.use(simulator);
    context.stack = stack;
    context.db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
    context.operator = operatorOf({ stack });
    context.client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
    context.api_url = simulator.url + standIn.path;
    context.control = createControl(context.api_url, standIn.headers);
    const configure = async (settings: object) =>
      void (await context.control('PUT', standIn.account_path, {
        ...standIn.account_settings,
        ...settings,
      }));
    await configure({});
    context.connect = (account) => connectAccount(context, standIn.processor, account);
    context.route = async (rules) => {
      const { status } = await context.operator.send('PUT', '/routing/sandbox', { rules });
      expect(status).toBe(204);
    };
    context.account = await context.connect({ ...standIn, name: standIn.processor });
    await context.route([{ name: 'All', accounts: [context.account] }]);
    const webhook_url = `${stack.baseUrl}/notifications/${context.account}`;
    context.configure = (settings = {}) => configure({ webhook_url, ...settings });
    await context.configure();
  });
  afterAll(() => cleanup.disposeAsync());
  return context;
}

async function connectAccount(
  { operator, api_url }: Pick<StandInStack, 'operator' | 'api_url'>,
  processor: string,
  { name, settings, url_settings = [], secrets }: AccountFields,
): Promise<string> {
  const created = await operator.send('POST', '/processor_accounts', {
    processor,
    mode: 'sandbox',
    name,
    settings: {
      api_url,
      ...Object.fromEntries(url_settings.map((setting) => [setting, api_url])),
      ...settings,
    },
    secrets,
  });
  expect([created.status, created.body.errors]).toEqual([201, undefined]);
  const { id } = created.body.data;
  expect((await operator.send('POST', `/processor_accounts/${id}/enable`, {})).status).toBe(204);
  return id;
}

const createControl =
  (url: string, headers: Readonly<Record<string, string>>): StandInStack['control'] =>
  async (method, path, body) => {
    const response = await fetch(`${url}/control${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
