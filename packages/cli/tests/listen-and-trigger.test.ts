import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { webhookCodes } from '@florin/contract/events.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { type EventCode, recipes } from '@florin/contract/triggers/recipes.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { verify } from '@florin/webhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Receiver, startReceiver } from '../../server/tests/webhooks/receiver.ts';
import { type ApiClient, type ApiRecord, createClient } from '../src/api/client.ts';
import { clockCommand } from '../src/commands/clock.ts';
import { listenCommand } from '../src/commands/listen.ts';
import { triggerCommand } from '../src/commands/trigger.ts';
import type { AccessSettings } from '../src/config/env.ts';
import { withClient } from '../src/database/client.ts';
import { temporaryDirectory } from './support.ts';

const SECRET = 'a'.repeat(64);
/** Each round of a listener reads the events of the last minute again. */
const POLL_MS = 500;
/** Each waiting trigger polls ten times a second. More concurrent triggers would mostly add polls. */
const CONCURRENCY = 4;

let stack: Stack;
let settings: AccessSettings;
let api: ApiClient;
beforeAll(async () => {
  stack = await startStack();
  settings = { dataDir: stack.dataDir };
  api = createClient({ base_url: stack.baseUrl, key: stack.credentials.sandbox.secret_key });
});
afterAll(() => stack?.[Symbol.asyncDispose]());

/** Requests of a recipe, in order, without sending them. */
async function stepsOf(code: EventCode): Promise<readonly string[]> {
  const recipe = recipes[code];
  if ('refused' in recipe) return [];
  const steps: string[] = [];
  const recordStep = async (...args: unknown[]): Promise<ApiRecord> => {
    steps.push(JSON.stringify(args));
    return { type: 'record', id: `after ${steps.length}`, attributes: {} } as ApiRecord;
  };
  const [create, update, relate] = ['create', 'update', 'relate'].map((name) =>
    recordStep.bind(undefined, name),
  ) as [typeof recordStep, typeof recordStep, typeof recordStep];
  const made: ApiRecord[] = [];
  await recipe.run({
    createdRecords: made,
    now_ms: () => 0,
    newKey: () => 'key',
    async create(type, attributes, relations) {
      const record = { ...(await create(type, attributes, relations)), type };
      made.push(record);
      return record;
    },
    update,
    relate,
    act: (record, action, attributes) => recordStep('act', record, action, attributes),
    untilStatus: async (record) => record as ApiRecord,
    untilPointedAt: async (type) => ({ ...(await recordStep('wait')), type }),
  });
  return steps;
}

const beginsWith = (steps: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((step, at) => steps[at] === step);

/**
 * Groups the codes by the longest recipe that begins with their requests. Running this recipe emits the events of its
 * whole group.
 */
async function groupByLongestRecipe(): Promise<Map<EventCode, EventCode[]>> {
  const codes = (Object.keys(recipes) as EventCode[]).filter((code) => 'makes' in recipes[code]);
  const steps = new Map<EventCode, readonly string[]>();
  for (const code of codes) steps.set(code, await stepsOf(code));
  const shortestFirst = codes.toSorted((a, b) => steps.get(a)!.length - steps.get(b)!.length);
  return Map.groupBy(
    codes,
    (code) =>
      shortestFirst.findLast((other) => beginsWith(steps.get(other)!, steps.get(code)!)) ?? code,
  );
}

const startHook = (status = 204, port?: number): Promise<Receiver> =>
  startReceiver({ '/hook': () => status }, port);

/** A listener that stops at the end of the test at the latest. */
function startListening(
  origin: string,
  words: readonly string[] = [],
  { dataDir } = settings,
): { readonly output: string[]; stop(): Promise<number> } {
  const output: string[] = [];
  const abortController = new AbortController();
  const credentials = ['--key', stack.credentials.sandbox.secret_key, '--host', stack.baseUrl];
  const listening = listenCommand(['--forward-to', `${origin}/hook`, ...words, ...credentials], {
    settings: { dataDir },
    print: (sentence) => output.push(sentence),
    signal: abortController.signal,
    poll_ms: POLL_MS,
  });
  const stop = () => {
    abortController.abort();
    return listening;
  };
  onTestFinished(async () => void (await stop()));
  return { output, stop };
}

async function triggerAndList(code: string): Promise<string[]> {
  const output: string[] = [];
  expect(await triggerCommand([code], { settings, print: (line) => output.push(line) })).toBe(0);
  return output;
}

/** Triggers the code of the longest recipe. The output must list the events of the whole group. */
async function triggerGroup([longestCode, codes]: readonly [
  EventCode,
  readonly EventCode[],
]): Promise<void> {
  const output = await triggerAndList(longestCode);
  for (const code of codes) {
    const line = output.find((text) => text.startsWith(`event    ${code} `)) ?? '';
    const [, id] = /^event {4}\S+ (\S+)$/.exec(line) ?? [];
    expect(output.join('\n')).toContain(`created  ${typeOf(code)} ${id}`);
  }
}

async function listAllEvents(): Promise<ApiRecord[]> {
  const events: ApiRecord[] = [];
  for (let path: string | null | undefined = '/v2/events?sort=recorded_at&page[size]=500'; path; ) {
    const page: Awaited<ReturnType<typeof api.list>> = await api.list(path);
    events.push(...page.data);
    path = page.links.next;
  }
  return events;
}

const idOf = ({ headers }: Receiver['requests'][number]): string =>
  String(headers['edge-event-id']);
const idsAt = ({ requests: received }: Receiver): string[] => received.map(idOf);

/** Waits until a receiver has got each event at least once; a listener forwards them one after another. */
const waitUntilArrived = (receiver: Receiver, ids: readonly string[]) =>
  expect
    .poll(
      () => {
        const arrivedIds = new Set(idsAt(receiver));
        return ids.filter((id) => !arrivedIds.has(id));
      },
      { timeout: 90_000, interval: 100 },
    )
    .toEqual([]);

describe('florin trigger', () => {
  it('has a recipe for every event', () => {
    expect(Object.keys(recipes).toSorted()).toEqual(webhookCodes(resources).toSorted());
  });

  it('leads to each event; the listener forwards all of them like webhook deliveries', async () => {
    await using hook = await startHook();
    await using local = await startHook();
    const subscription = await api.send('POST', '/v2/webhook_subscriptions', {
      type: 'webhook_subscriptions',
      attributes: {
        url: `${hook.origin}/hook`,
        events: webhookCodes(resources).filter((code) => !code.startsWith('developer.')),
      },
    });
    const groups = [...(await groupByLongestRecipe())];
    expect(groups.length).toBeGreaterThan(12);
    for (let from = 0; from < groups.length; from += CONCURRENCY) {
      await Promise.all(groups.slice(from, from + CONCURRENCY).map(triggerGroup));
    }
    // Only now, because each round would read the events of the last minute again.
    const listener = startListening(local.origin, ['--from', 'beginning', '--secret', SECRET]);
    const events = await listAllEvents();
    const ids = events.map(({ id }) => id);
    await waitUntilArrived(local, ids);
    expect(await listener.stop()).toBe(0);
    // An event arrives twice if its first response took too long.
    const forwardedIds = idsAt(local);
    // Sandbox workers may emit more events until the listener stops.
    const emittedIds = (await listAllEvents()).map(({ id }) => id);
    expect(forwardedIds.filter((id) => !emittedIds.includes(id))).toEqual([]);

    const webhooks = ids.filter((id) => !isTest(events, id));
    await waitUntilArrived(hook, webhooks);
    const comparedRequests = local.requests.filter((request) => webhooks.includes(idOf(request)));
    expect(new Set(comparedRequests.map(idOf))).toEqual(new Set(webhooks));
    const bodies = new Map(hook.requests.map((request) => [idOf(request), request.body]));
    const { secret_key } = subscription.attributes;
    for (const request of local.requests) {
      await verify(request.body, request.headers, [SECRET, String(secret_key)]);
      expect(JSON.parse(request.body).data.id).toBe(idOf(request));
    }
    for (const request of comparedRequests) expect(request.body).toBe(bodies.get(idOf(request)));
  }, 300_000);

  it('refuses keys of live mode and unknown events', async () => {
    const { secret_key } = stack.credentials.live;
    const run = (...words: string[]) => triggerCommand(words, { settings, print: () => {} });
    const code: EventCode = 'consumer.customers.created';
    await expect(run(code, '--key', secret_key)).rejects.toThrow(
      'Events can only be triggered in the sandbox',
    );
    await expect(run('consumer.customers.eaten')).rejects.toThrow('Unknown event');
    await expect(run('transaction.settlement_exceptions.created')).rejects.toThrow(
      'after it ends (UTC)',
    );
    await expect(run()).rejects.toThrow('Usage:');
  });
});

describe('florin listen', () => {
  it('waits for an absent receiver, and resumes after a restart', async () => {
    const dataDir = temporaryDirectory();
    const firstReceiver = await startHook();
    const { origin } = firstReceiver;
    const listener = startListening(origin, ['--events', 'consumer.*'], { dataDir });
    await expect.poll(() => listener.output.length).toBe(2);
    await triggerAndList('consumer.customers.created');
    await expect.poll(() => firstReceiver.requests.length).toBe(1);
    await firstReceiver[Symbol.asyncDispose]();

    await triggerAndList('consumer.customers.updated');
    await expect
      .poll(() => listener.output.join('\n'))
      .toMatch(
        /Waiting for http:\S+ \(ECONN\w+\): consumer\.customers\.\w+ \S+ and all later events wait\. Retrying/,
      );
    await listener.stop();
    const [secret] = /[0-9a-f]{64}$/.exec(listener.output[0] ?? '') ?? [];

    await triggerAndList('consumer.addresses.created');
    await using secondReceiver = await startHook(204, Number(new URL(origin).port));
    const secondListener = startListening(origin, ['--events', 'consumer.*'], { dataDir });
    await expect.poll(() => secondReceiver.requests.length, { timeout: 15_000 }).toBe(3);
    await expect.poll(() => secondListener.output.length).toBe(5);
    expect(secondListener.output[0]).toContain(secret);
    expect(secondListener.output[1]).toMatch(/^Continuing after .*\.$/);
    expect(secondListener.output.slice(2).map((line) => line.split(/ +/).slice(1, 5))).toEqual([
      ['204', expect.any(String), 'ms', 'consumer.customers.created'],
      ['204', expect.any(String), 'ms', 'consumer.customers.updated'],
      ['204', expect.any(String), 'ms', 'consumer.addresses.created'],
    ]);
    const codes = await Promise.all(
      secondReceiver.requests.map(
        async ({ body, headers }) => (await verify(body, headers, secret)).code,
      ),
    );
    expect(codes).toEqual([
      'consumer.customers.created',
      'consumer.customers.updated',
      'consumer.addresses.created',
    ]);
    const [file = ''] = readdirSync(join(dataDir, 'listen'));
    expect(statSync(join(dataDir, 'listen', file)).mode & 0o777).toBe(0o600);
  });

  it('does not skip an event that becomes visible after a newer one', async () => {
    await using receiver = await startHook(500);
    const { output } = startListening(receiver.origin, ['--events', 'consumer.customers.*']);
    await expect.poll(() => output.length).toBe(2);
    await triggerAndList('consumer.addresses.created');
    await triggerAndList('consumer.customers.created');
    await expect.poll(() => receiver.requests.length).toBe(1);
    const lateId = randomUUID();
    await withClient(stack.databaseUrl, (client) =>
      client.query(
        `insert into events select (json_populate_record(e, json_build_object(
           'id', $1::text, 'sequence', 2, 'recorded_at', e.recorded_at - interval '30 seconds'))).*
         from events e where id = $2`,
        [lateId, idsAt(receiver)[0]],
      ),
    );
    await waitUntilArrived(receiver, [lateId]);
    expect(receiver.requests).toHaveLength(2);
    expect(output.at(-1)).toMatch(/^\d\d:\d\d:\d\d {2}500 .* consumer\.customers\.created /);
  });

  it('starts after a given event', async () => {
    await using receiver = await startHook();
    const ids = (await listAllEvents()).map(({ id }) => id);
    startListening(receiver.origin, ['--from', ids.at(-4) ?? '']);
    await waitUntilArrived(receiver, ids.slice(-3));
    expect(idsAt(receiver)).toEqual(ids.slice(-3));
  });

  it.each([
    ['no address', [], 'Usage:'],
    ['another kind of address', ['--forward-to', 'ftp://localhost'], '--forward-to must be'],
    [
      'codes that there are not',
      ['--forward-to', 'http://a', '--events', 'transaction.*, consumer.customer.create'],
      /value 2 matches no event\. The nearest are:\n {2}consumer\.customers\./,
    ],
    [
      'a publishable key',
      ['--forward-to', 'http://a', '--key', 'ept_sandbox_b1'],
      'not a secret key',
    ],
    ['an event that there is not', ['--forward-to', 'http://a', '--from', randomUUID()], '404'],
  ])('refuses %s', async (_, words, sentence) => {
    const signal = new AbortController().signal;
    const listening = listenCommand([...words], { settings, print: () => {}, signal });
    await expect(listening).rejects.toThrow(sentence);
  });
});

const typeOf = (code: string): string => {
  const [group, name] = code.split('.');
  return group === 'consumer' && name === 'addresses' ? 'consumer_addresses' : String(name);
};

const isTest = (events: readonly ApiRecord[], eventId: string): boolean =>
  events.some(({ id, attributes }) => id === eventId && attributes.slug === 'tested');

describe('florin clock', () => {
  const run = async (...words: string[]): Promise<string[]> => {
    const output: string[] = [];
    const context = { settings, print: (line: string) => void output.push(line) };
    expect(await clockCommand(words, context)).toBe(0);
    return output;
  };

  it("creates a customer's clock, advances it, and finds it again", async () => {
    const { id } = await api.send('POST', '/v2/customers', {
      type: 'customers',
      attributes: { email: 'ada@example.com' },
    });
    const timeAfterDays = (count: number) =>
      new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
    const firstOutput = await run('advance', '--by', '31d', '--customer', id);
    expect(firstOutput.at(-1)).toContain(`The sandbox clock is at ${timeAfterDays(31)}`);
    expect(firstOutput[0]).toMatch(/ UTC {2}\d+%$/);
    const secondOutput = await run(
      'advance',
      '--to',
      `${timeAfterDays(60)}T12:00:00Z`,
      '--customer',
      id,
    );
    expect(secondOutput.at(-1)).toContain(`The sandbox clock is at ${timeAfterDays(60)} 12:00`);
    const { data } = await api.list(`/v2/sandbox_clocks?filter[customer]=${id}`);
    expect(data).toHaveLength(1);
  });

  it('explains what it cannot do', async () => {
    const { secret_key } = stack.credentials.live;
    await expect(run('advance', '--by', '1d', '--key', secret_key)).rejects.toThrow(
      'Only the sandbox',
    );
    await expect(run('advance', '--by', 'soon')).rejects.toThrow('--by must be');
    await expect(run('advance', '--by', '99w', '--to', '2027-01-01T00:00:00Z')).rejects.toThrow(
      'Usage:',
    );
    await expect(run('back', '--by', '1d')).rejects.toThrow('Usage:');
    const past = run('advance', '--to', '2020-01-01T00:00:00Z');
    await expect(past).rejects.toThrow('later than the time of the clock');
  });
});
