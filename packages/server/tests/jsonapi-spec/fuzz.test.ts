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
import { violationsOf } from '../support/json-api-document.ts';
import { makeOneOfEach } from '../support/makers.ts';

const api = useApi();
const types = Object.keys(resources) as ResourceType[];

/** `npm run test:fuzz` sends many more. */
const REQUEST_COUNT = Number(process.env.FLORIN_FUZZ_REQUESTS ?? 150);
const ANSWER_WITHIN_MS = 10_000;
const PROGRESS_EVERY = 5_000;

/** Contained in every text of the other merchant's and the live records, and in nothing that the caller sends. */
const CANARY = 'Kanarienvogel';

const ownIdsByType = new Map<string, string>();
const foreignIdsByType = new Map<string, string>();
const foreignIds = new Set<string>();
const ids: Ids = {
  own: (type) => ownIdsByType.get(type),
  foreign: (type) => foreignIdsByType.get(type),
};

/** All records of every type that the client can see. */
async function* listAllRecords(client: Client): AsyncIterable<ResourceObject> {
  for (const type of types) yield* (await client.get(`/v2/${type}?page[size]=500`)).body.data;
}

beforeAll(async () => {
  const otherMerchant = await api.fixtures.makeMerchant({ business_name: CANARY });
  const otherClients = [api.as(await otherMerchant.makeKey()), api.live];
  await makeOneOfEach(api.client, api.fixtures);
  for (const client of otherClients) {
    await client.make('customers', {
      email: `${CANARY}@example.com`,
      name: CANARY,
      description: CANARY,
    });
  }
  await otherClients[0]?.make('payment_demands', {
    amount_cents: 1_000,
    amount_currency: 'USD',
    description: CANARY,
    purchase_reference: CANARY,
  });
  const spareToken = await api.client.make('merchant_tokens', { name: 'Spare', context: 'secret' });
  const visibleIds = new Set<string>();
  for await (const { type, id } of listAllRecords(api.client)) {
    visibleIds.add(id);
    ownIdsByType.set(type, id);
  }
  // A random request must not revoke the key that sends it.
  ownIdsByType.set('merchant_tokens', spareToken.id);
  for (const client of otherClients) {
    for await (const { type, id } of listAllRecords(client)) {
      if (visibleIds.has(id)) continue;
      foreignIdsByType.set(type, id);
      foreignIds.add(id);
    }
  }
});

/** Members that repeat the request, which may contain anything: links, and the sent document in the request log. */
const echoedMembers: ReadonlySet<string> = new Set(['links', 'request_body']);

/** The part of a response that contains record data. */
const contentsOf = ({ body }: Answer): string => {
  const { data, included, errors, meta } = body ?? {};
  const dropEchoed = (name: string, value: unknown) =>
    echoedMembers.has(name) ? undefined : value;
  return JSON.stringify({ data, included, errors, meta }, dropEchoed);
};

function expectNothingForeign(answer: Answer): void {
  const contents = contentsOf(answer);
  expect(contents).not.toContain(CANARY);
  const leakedIds = [...contents.matchAll(/"id":"([0-9a-f-]{36})"/g)].filter(([, id]) =>
    foreignIds.has(id as string),
  );
  expect(leakedIds).toEqual([]);
}

const awaitWithinLimit = <T>(work: Promise<T>): Promise<T> => {
  const timeoutSignal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const timeout = new Promise<never>((_, reject) =>
    timeoutSignal.addEventListener('abort', () => reject(new Error('no answer')), { once: true }),
  );
  return Promise.race([work, timeout]);
};

async function expectSoundAnswer(request: DrawnRequest): Promise<Answer> {
  const answer = await awaitWithinLimit(
    api.client.send(request.method, request.path, request.body),
  );
  expect(answer.status).toBeLessThan(500);
  if (answer.status === 204) return answer;
  expect(violationsOf(answer.body)).toEqual([]);
  expect('errors' in answer.body).toBe(answer.status >= 400);
  expectNothingForeign(answer);
  return answer;
}

it(
  `${REQUEST_COUNT} requests: each is answered with a JSON:API document, never a 5xx, never another tenant's record`,
  async () => {
    const statuses = new Map<number, number>();
    let requestCount = 0;
    await fc.assert(
      fc.asyncProperty(drawnRequests, async (request) => {
        const { status } = await expectSoundAnswer(withIds(request, ids));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        requestCount += 1;
        if (requestCount % PROGRESS_EVERY === 0)
          console.log(`${requestCount} of ${REQUEST_COUNT} requests`);
      }),
      { numRuns: REQUEST_COUNT },
    );
    console.log('answers by status:', Object.fromEntries([...statuses].sort()));
    expect([...statuses.keys()], 'requests of many kinds').toEqual(
      expect.arrayContaining([200, 201, 400, 404, 405, 422]),
    );
    expect(statuses.get(401) ?? 0).toBe(0);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUEST_COUNT / 10);
  },
  Math.max(60_000, REQUEST_COUNT * 30),
);
