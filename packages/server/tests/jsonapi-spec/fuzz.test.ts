import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import {
  type DrawnRequest,
  drawnRequests,
  type Ids,
  withIds,
} from '../support/arbitrary-requests.ts';
import type { Answer, Client, ResourceObject } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { makeOneOfEach } from '../support/makers.ts';

const api = useApi();
const types = Object.keys(resources) as ResourceType[];

/** `npm run test:fuzz` sends many more. */
const REQUESTS = Number(process.env.FLORIN_FUZZ_REQUESTS ?? 150);
const ANSWER_WITHIN_MS = 10_000;
const PROGRESS_EVERY = 5_000;

/** Contained in every text of the other merchant's and the live records, and in nothing that the caller sends. */
const CANARY = 'Kanarienvogel';

const own = new Map<string, string>();
const foreign = new Map<string, string>();
const foreignIds = new Set<string>();
const ids: Ids = { own: (type) => own.get(type), foreign: (type) => foreign.get(type) };

/** All records of every type that the client can see. */
async function* allOf(client: Client): AsyncIterable<ResourceObject> {
  for (const type of types) yield* (await client.get(`/v2/${type}?page[size]=500`)).body.data;
}

beforeAll(async () => {
  const other = await api.fixtures.makeMerchant({ business_name: CANARY });
  const foreigners = [api.as(await other.key()), api.live];
  await makeOneOfEach(api.client, api.fixtures);
  for (const client of foreigners) {
    await client.make('customers', {
      email: `${CANARY}@example.com`,
      name: CANARY,
      description: CANARY,
    });
  }
  await foreigners[0]?.make('payment_demands', {
    amount_cents: 1_000,
    amount_currency: 'USD',
    description: CANARY,
    purchase_reference: CANARY,
  });
  const spare = await api.client.make('merchant_tokens', { name: 'Spare', context: 'secret' });
  const mine = new Set<string>();
  for await (const { type, id } of allOf(api.client)) {
    mine.add(id);
    own.set(type, id);
  }
  // A random request must not revoke the key that sends it.
  own.set('merchant_tokens', spare.id);
  for (const client of foreigners) {
    for await (const { type, id } of allOf(client)) {
      if (mine.has(id)) continue;
      foreign.set(type, id);
      foreignIds.add(id);
    }
  }
});

/** Members that repeat the request, which may contain anything: links, and the sent document in the request log. */
const repeating: ReadonlySet<string> = new Set(['links', 'request_body']);

/** The part of a response that contains record data. */
const contentsOf = ({ body }: Answer): string => {
  const { data, included, errors, meta } = body ?? {};
  const uniqueValue = (name: string, value: unknown) => (repeating.has(name) ? undefined : value);
  return JSON.stringify({ data, included, errors, meta }, uniqueValue);
};

function expectNothingForeign(answer: Answer): void {
  const contents = contentsOf(answer);
  expect(contents).not.toContain(CANARY);
  const leaked = [...contents.matchAll(/"id":"([0-9a-f-]{36})"/g)].filter(([, id]) =>
    foreignIds.has(id as string),
  );
  expect(leaked).toEqual([]);
}

const withinLimit = <T>(work: Promise<T>): Promise<T> => {
  const hangs = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const late = new Promise<never>((_, reject) =>
    hangs.addEventListener('abort', () => reject(new Error('no answer')), { once: true }),
  );
  return Promise.race([work, late]);
};

async function expectSound(request: DrawnRequest): Promise<Answer> {
  const answer = await withinLimit(api.client.send(request.method, request.path, request.body));
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 204) return answer;
  expect(flawsOf(answer.body)).toEqual([]);
  expect('errors' in answer.body).toBe(answer.status >= 400);
  expectNothingForeign(answer);
  return answer;
}

it(
  `${REQUESTS} requests: each is answered with a JSON:API document, never a 5xx, never another tenant's record`,
  async () => {
    const statuses = new Map<number, number>();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(drawnRequests, async (drawn) => {
        const { status } = await expectSound(withIds(drawn, ids));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        sent += 1;
        if (sent % PROGRESS_EVERY === 0) console.log(`${sent} of ${REQUESTS} requests`);
      }),
      { numRuns: REQUESTS },
    );
    console.log('answers by status:', Object.fromEntries([...statuses].sort()));
    expect([...statuses.keys()], 'requests of many kinds').toEqual(
      expect.arrayContaining([200, 201, 400, 404, 405, 422]),
    );
    expect(statuses.get(401) ?? 0).toBe(0);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 10);
  },
  Math.max(60_000, REQUESTS * 30),
);
