import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { takeSnapshot } from '@florin/dev-env/snapshot.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorisationId } from '../../src/features/attempts/attempt-id.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { replaceFact } from '../../src/platform/database/installation/installation-facts.ts';
import type { NetworkProcessor } from '../../src/processors/port/processor.ts';
import { createSandboxProcessor } from '../../src/processors/sandbox/index.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { makeDemand, makeParties, makeSubscription, waitForOutcome } from '../support/make.ts';
import { createStoryClock, waitUntilDrained } from '../support/story-clock.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'bin', 'restored.ts');
const DAY_S = 24 * 60 * 60;
const clock = createStoryClock(new Date().toISOString());
const millis = (): number => Math.floor(clock.now() / 1_000);

/** Ids of messages that the network gives no answer about. */
const silent = new Set<string>();
let isDeclining = false;
let stack: Stack;
let client: Client;
let db: Database;
/** A subscription with two periods that were charged after the restored time. */
let subscription: ResourceObject;
/** A subscription whose failed renewal was charged after the restored time. */
let failing: ResourceObject;
/** A declined order, whose only known attempt has the number 2. */
let order: ResourceObject;

/** The simulated network, which declines or gives no answer where the test says so. */
function doubtfulNetwork(simulatorUrl: string): NetworkProcessor {
  const network = createSandboxProcessor({ simulatorUrl });
  return {
    ...network,
    authorise: {
      ...network.authorise,
      mapAnswer: (...answer) => {
        const result = network.authorise.mapAnswer(...answer);
        if (!isDeclining || result.result !== 'approved') return result;
        const { cvc2_check, address_line1_verification, postal_code_verification } = result;
        const checks = { cvc2_check, address_line1_verification, postal_code_verification };
        return { result: 'declined', code: 'insufficient_funds', ...checks };
      },
    },
    inquire: {
      ...network.inquire,
      mapAnswer: (answer, id) =>
        silent.has(id ?? '')
          ? { result: 'unknown', why: 'the test gives no answer' }
          : network.inquire.mapAnswer(answer, id),
    },
  };
}

async function restored(...words: string[]): Promise<string> {
  const env = bareEnv({ DATABASE_URL: stack.serverDatabaseUrl });
  const child = spawn(process.execPath, [PROGRAM, ...words], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  await once(child, 'close');
  return output;
}

/** Charges of a subscription, the earliest period first. */
async function chargesOf({ id }: ResourceObject): Promise<ResourceObject[]> {
  const path = `/v2/payment_demands?filter[payment_subscription]=${id}`;
  const charges: ResourceObject[] = (await client.get(path)).body.data;
  return charges.toSorted(({ attributes: a }, { attributes: b }) =>
    String(a.period_start_at).localeCompare(String(b.period_start_at)),
  );
}

const statusesOf = async (of: ResourceObject): Promise<string[]> =>
  (await chargesOf(of)).map(({ attributes }) => attributes.status);

const subscribe = async (): Promise<ResourceObject> =>
  makeSubscription(client, { confirmed: true }, await makeParties(client));

async function countApproved(): Promise<number> {
  const response = await fetch(`${stack.simulatorUrl}/v1/books`);
  return ((await response.json()) as NetworkCounts).approved;
}

async function pass(days: number): Promise<void> {
  clock.advance(days * DAY_S);
  await waitUntilDrained(client);
}

beforeAll(async () => {
  const now = () => new Date(millis());
  stack = await startStack({
    config: { clock },
    vaultClock: millis,
    now,
    processors: ({ simulatorUrl }) => {
      const network = doubtfulNetwork(simulatorUrl);
      return {
        of: (mode) => (mode === 'sandbox' ? network : undefined),
        findByName: (name) => (name === network.metadata.name ? network : undefined),
      };
    },
  });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  failing = await subscribe();
  await waitUntilDrained(client);
  isDeclining = true;
  await pass(32);
  order = await makeDemand(client, { confirmed: true }, await makeParties(client));
  await waitForOutcome(client, order.id);
  isDeclining = false;
  // The network's list begins shortly before the restored time, and has the order as approved.
  clock.advance(600);
  subscription = await subscribe();
  await waitUntilDrained(client);
  const snapshot = await takeSnapshot(stack.adminDatabaseUrl, now);
  for (const days of [5, 32, 32]) await pass(days);
  const [, renewal] = await chargesOf(subscription);
  const [, failed] = await chargesOf(failing);
  silent.add(authorisationId(renewal?.id as string, 1));
  silent.add(authorisationId(failed?.id as string, 2));
  await stack.stop('server');
  await stack.stop('vault');
  await snapshot.restore();
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
  await replaceFact(db, 'restored', snapshot.taken_at.toISOString());
  await db.query('update attempts set id = $1 where payment_demand_id = $2', [
    authorisationId(order.id, 2),
    order.id,
  ]);
  await stack.start('vault');
  await stack.start('server');
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

describe('a restored installation with one answer missing', () => {
  it('holds the period in doubt, and records the charged period after it', async () => {
    await restored('learn');
    expect(await statusesOf(subscription)).toEqual(['succeeded', 'processing', 'succeeded']);
  });

  it('holds the retry of a failed renewal', async () => {
    expect(await statusesOf(failing)).toEqual(['succeeded', 'processing']);
  });

  it('records both once the network answers', async () => {
    silent.clear();
    await restored('learn');
    expect(await statusesOf(subscription)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect((await statusesOf(failing)).slice(0, 2)).toEqual(['succeeded', 'succeeded']);
  });

  it('charges nothing again once it is open', async () => {
    const approved = await countApproved();
    await restored('open');
    await waitUntilDrained(client);
    expect(await countApproved()).toBe(approved);
  });

  it('sends a payment again whose only known attempt has a later number', async () => {
    expect((await client.fetch('payment_demands', order.id)).attributes.status).toBe('failed');
    await client.send('PATCH', `/v2/payment_demands/${order.id}/confirm`);
    expect((await waitForOutcome(client, order.id)).attributes.status).toBe('succeeded');
  });
});
