import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createJournal } from '../../src/features/request-log/journal.ts';
import { pruneRequests } from '../../src/features/request-log/prune.ts';
import { pruneRequestsBeyond } from '../../src/features/request-log/sql.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { fetchNewestRequest, makeCustomer, waitForRequests } from '../support/make.ts';
import { countOf, describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const type = 'api_requests';

/** Sends a request with a unique id and returns its stored record. */
async function sendAndReadLog(method: string, path: string, body?: unknown, headers = {}) {
  const id = `test-${randomUUID()}`;
  await api.client.send(method, path, body, { 'x-request-id': id, ...headers });
  const [request] = await waitForRequests(api.client, `filter[request_id]=${id}`, 1);
  return request as ResourceObject;
}

/** JSON of a customer with an attribute of this name, which contains this member. */
const bodyWith = (attribute: string, member: string): string =>
  `{"data":{"type":"customers","attributes":{"${attribute}":{"${member}":"a"}}}}`;

/** A logged request with default values. */
const loggedRequest = {
  method: 'POST',
  route: '/v2/customers',
  url: '/v2/customers',
  status: 201,
  duration_ms: 1,
  has_idempotency_key: false,
  user_agent: 'florin-tests/1',
  ip: '127.0.0.1',
  request_body: undefined,
  response_body: undefined,
};

describe('a request of a key', () => {
  describeReads(api, type, async () => {
    await makeCustomer(api.client);
    return fetchNewestRequest(api.client);
  });
  describeRefusedMethods(api, type);

  it('that wrote is logged: caller, request and result', async () => {
    const document = documentOf('payment_demands', { amount_cents: 2500, amount_currency: 'USD' });
    const keyHeader = { 'idempotency-key': randomUUID() };
    const request = await sendAndReadLog(
      'POST',
      '/v2/payment_demands?include=payer',
      document,
      keyHeader,
    );
    expect(request.attributes).toMatchObject({
      method: 'POST',
      route: '/v2/payment_demands',
      path: '/v2/payment_demands',
      query: 'include=payer',
      status_code: 201,
      error_codes: [],
      idempotency_key_sent: true,
      user_agent: 'florin-tests/1',
      ip_prefix: '127.0.0.0/24',
      request_body: document,
    });
    expect(request.attributes.response_body.data).toMatchObject({
      type: 'payment_demands',
      attributes: { status: 'incomplete', amount_cents: 2500 },
    });
  });

  it('that was refused is stored with its error codes', async () => {
    const path = `/v2/customers/${UNKNOWN_ID}`;
    const failedRead = await sendAndReadLog('GET', path);
    expect(failedRead.attributes).toMatchObject({
      method: 'GET',
      route: '/v2/customers/:id',
      path,
      status_code: 404,
      error_codes: ['not_found'],
      request_body: null,
    });
    const failedWrite = await sendAndReadLog(
      'POST',
      '/v2/customers',
      documentOf('customers', { email: 'no' }),
    );
    expect(failedWrite.attributes).toMatchObject({
      status_code: 422,
      request_body: { data: { attributes: { email: '[masked]' } } },
    });
  });

  it('with a card number is stored without its body', async () => {
    const attributes = { email: 'ada@example.com', description: '4005519200000004' };
    const request = await sendAndReadLog(
      'POST',
      '/v2/customers',
      documentOf('customers', attributes),
    );
    expect(request.attributes).toMatchObject({
      error_codes: ['raw_card_data_forbidden'],
      request_body: null,
    });
    expect(JSON.stringify(request)).not.toContain('4005519200000004');
  });

  it('with characters that the database refuses is stored, and so are others of its batch', async () => {
    const oddRequests: readonly (readonly [path: string, body?: string])[] = [
      ['/v2/customers?include=%00'],
      ['/v2/customers?x%00=1'],
      ['/v2/customers?filter[x%00]=a%00'],
      ['/v2/customers/%00'],
      ['/v2/customers', bodyWith('metadata', '\\u0000')],
      ['/v2/customers', bodyWith('metadata', '\\ud800')],
      ['/v2/customers', bodyWith('\\udfff', 'a')],
      ['/v2/customers', bodyWith(`${'a'.repeat(99)}😀`, 'a')],
      ['/v2/customers', '{"data":{"type":"\\u0000","id":"\\ud800"}}'],
    ];
    const requests = await Promise.all([
      sendAndReadLog('GET', `/v2/customers/${UNKNOWN_ID}`),
      ...oddRequests.map(([path, body]) => sendAndReadLog(body ? 'POST' : 'GET', path, body)),
    ]);
    expect(requests.filter((request) => !(request?.attributes.status_code >= 400))).toEqual([]);
  });

  it('that the database refuses does not affect the others, and is counted', async () => {
    const { db, getDemoMerchant } = api.fixtures;
    const scope = { merchant_id: (await getDemoMerchant()).id, mode: 'sandbox' } as const;
    const knownRequest = await sendAndReadLog('GET', `/v2/customers/${UNKNOWN_ID}`);
    const keyId =
      (knownRequest.relationships?.merchant_token?.data as { id: string } | undefined)?.id ?? '';
    const catalog = await loadCatalog(db);
    let droppedCount = 0;
    const journal = createJournal({
      redact: () => null,
      address: { path: (path) => path, query: () => null },
      store: (rows) => insertRows(db, catalog, type, rows),
      logger: createLogger('silent'),
      monotonic_ms: () => 0,
      dropped: (count) => {
        droppedCount += count;
      },
    });
    const ids = [keyId, UNKNOWN_ID, keyId].map((token_id) => {
      const request_id = `test-${randomUUID()}`;
      journal.append({ ...loggedRequest, scope, token_id, request_id, at: systemClock().now() });
      return request_id;
    });
    await journal.close();
    const [firstId, , lastId] = ids;
    const storedRequests = await waitForRequests(
      api.client,
      `filter[request_id]=${ids.join(',')}`,
      2,
    );
    expect(storedRequests.map(({ attributes }) => attributes.request_id).sort()).toEqual(
      [firstId, lastId].sort(),
    );
    expect(droppedCount).toBe(1);
  });

  it('that created a key is stored without the key', async () => {
    const attributes = { name: 'Warehouse', context: 'secret' };
    const request = await sendAndReadLog(
      'POST',
      '/v2/merchant_tokens',
      documentOf('merchant_tokens', attributes),
    );
    expect(request.attributes.response_body.data.attributes.token).toBe('[redacted]');
    expect(JSON.stringify(request)).not.toContain('ept_');
  });

  it('that only read is not stored', async () => {
    const { id } = await makeCustomer(api.client);
    const requestId = `test-${randomUUID()}`;
    await api.client.get(`/v2/customers/${id}`, { 'x-request-id': requestId });
    await sendAndReadLog('GET', `/v2/customers/${UNKNOWN_ID}`);
    const { body } = await api.client.get(`/v2/api_requests?filter[request_id]=${requestId}`);
    expect(body.data).toEqual([]);
  });

  it('is found by its key, its route, its status', async () => {
    const keyAttributes = { name: 'Till', context: 'secret' };
    const { id, attributes } = await api.client.make('merchant_tokens', keyAttributes);
    await makeCustomer(api.as(attributes.token));
    await api.as(attributes.token).get(`/v2/customers/${UNKNOWN_ID}`);
    const filters = [
      `filter[merchant_token]=${id}`,
      'filter[route]=/v2/customers',
      'filter[method]=POST',
      'filter[status_code][gte]=200',
      'filter[status_code][lt]=300',
    ];
    expect(await waitForRequests(api.client, filters.join('&'), 1)).toHaveLength(1);
  });
});

describe('stored requests', () => {
  it('are pruned after a week, and the oldest beyond a number', async () => {
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    await sendAndReadLog('GET', `/v2/customers/${UNKNOWN_ID}`);
    const pruneLimits = { stored_max: 1, limit: 1_000 };
    const laterLimits = { ...pruneLimits, since: new Date(Date.now() + 60_000).toISOString() };
    expect(await pruneRequestsBeyond(db, laterLimits)).toBe(0);
    await pruneRequestsBeyond(db, { ...pruneLimits, since: new Date(0).toISOString() });
    expect(await countOf(api, type)).toBe(1);
    const day = 86_400_000_000;
    const now = systemClock().now();
    await pruneRequests(db, now + 6 * day, 1_000);
    expect(await countOf(api, type)).toBe(1);
    await pruneRequests(db, now + 8 * day, 1_000);
    expect(await countOf(api, type)).toBe(0);
  });
});
