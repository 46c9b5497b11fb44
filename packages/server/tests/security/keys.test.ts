import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { makeHook } from '../support/hooks.ts';
import { makeCapturedPayment, makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

/** Added to the server's monotonic clock, by which its cache of keys expires. */
const clockOffset = { ms: 0 };
const clock = createClockAhead();
const api = useOwnStack({
  config: { clock, monotonic_ms: () => performance.now() + clockOffset.ms },
});
/** Types with the merchant, the mode or the platform as owner. The routes of all types check keys alike. */
const types = ['customers', 'merchants', 'permissions', 'webhook_subscriptions'];
let customer: ResourceObject;
let demand: ResourceObject;
beforeAll(async () => {
  await makeHook(api.client);
  demand = await makeCapturedPayment(api.client);
  customer = await makeCustomer(api.client);
});

/** A request of each kind. matrix.test.ts tests every route. */
const listRequests = (): [method: string, path: string, body?: unknown][] => [
  ...types.map((type): [string, string] => ['GET', `/v2/${type}`]),
  ['GET', `/v2/customers/${customer.id}`],
  ['GET', `/v2/payment_demands/${demand.id}`],
  ['GET', `/v2/payment_demands/${demand.id}/relationships/payer`],
  ['GET', `/v2/customers/${customer.id}/relationships/addresses`],
  ['POST', '/v2/customers', documentOf('customers', { email: 'a@example.com' })],
  ['POST', '/v2/merchant_tokens', documentOf('merchant_tokens', { name: 'x', context: 'secret' })],
  ['PATCH', `/v2/customers/${customer.id}`, documentOf('customers', {}, {}, customer.id)],
  ['PATCH', `/v2/payment_demands/${demand.id}/confirm`],
];

describe('a request', () => {
  const expectUnauthorized = (answer: Answer): void => {
    expect([answer.status, errorsOf(answer)]).toEqual([401, [['unauthorized', 'Authorization']]]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  };

  it('without a key is 401 for every resource', async () => {
    const lists = Object.keys(resources).map((type) => ['GET', `/v2/${type}`] as const);
    for (const [method, path, body] of [...lists, ...listRequests()]) {
      expectUnauthorized(await api.client.send(method, path, body, { authorization: null }));
    }
  });

  it.each([
    ['an empty header', () => ' '],
    ['the key alone', (key: string) => key],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['no key after the scheme', () => 'Bearer '],
    ['a word too many', (key: string) => `Bearer ${key} ${key}`],
    ['a key that does not exist', (key: string) => `Bearer ${key.slice(0, -4)}AAAA`],
    ['a key of another form', () => 'Bearer sk_test_4eC39HqLyjWDarjtT1'],
    ['the key in the other case', (key: string) => `Bearer ${key.toLowerCase()}`],
    ['two headers in one', (key: string) => `Bearer ${key}, Bearer ${key}`],
  ])('with %s is 401', async (_title, header) => {
    const authorization = header(api.stack.credentials.sandbox.secret_key);
    expectUnauthorized(await api.client.get('/v2/customers', { authorization }));
  });

  it.each(['bearer', 'BEARER'])('may write the scheme as %s', async (scheme) => {
    const authorization = `${scheme} ${api.stack.credentials.sandbox.secret_key}`;
    expect((await api.client.get('/v2/customers', { authorization })).status).toBe(200);
  });

  it('with an expired key is 401, with one that will expire it is not', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const expiredKey = await merchant.makeKey({ expiry: '2020-01-01T00:00:00Z' });
    expectUnauthorized(await api.as(expiredKey).get('/v2/customers'));
    const validKey = await merchant.makeKey({ expiry: '2100-01-01T00:00:00Z' });
    expect((await api.as(validKey).get('/v2/customers')).status).toBe(200);
  });

  it('with a key that expires while it is in use is 401 from then on', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const [row] = await api.fixtures.db.query("select now() + interval '5 minutes' as at", []);
    const client = api.as(await merchant.makeKey({ expiry: row?.at as string }));
    expect((await client.get('/v2/customers')).status).toBe(200);
    clock.advance(5 * 60);
    expectUnauthorized(await client.get('/v2/customers'));
  });
});

describe('a revoked key', () => {
  const makeKey = () => api.client.make('merchant_tokens', { name: 'Till', context: 'secret' });
  const statusOf = async (key: string) => (await api.as(key).get('/v2/customers')).status;

  it('is 401 from the answer to its revocation on', async () => {
    const { id, attributes } = await makeKey();
    expect(await statusOf(attributes.token)).toBe(200);
    const { status } = await api.client.send('PATCH', `/v2/merchant_tokens/${id}/revoke`);
    expect([status, await statusOf(attributes.token)]).toEqual([200, 401]);
  });

  it('by another process is 401 within five seconds', async () => {
    const { id, attributes } = await makeKey();
    expect(await statusOf(attributes.token)).toBe(200);
    const expireSql = 'update merchant_tokens set expiry = now() where id = $1';
    await api.fixtures.db.query(expireSql, [id]);
    expect(await statusOf(attributes.token)).toBe(200);
    clockOffset.ms += 5_000;
    expect(await statusOf(attributes.token)).toBe(401);
  });
});

describe('a publishable key', () => {
  it.each(['sandbox', 'live'] as const)('of %s may do nothing here', async (mode) => {
    const client = api.as(api.stack.credentials[mode].publishable_key);
    for (const [method, path, body] of listRequests()) {
      const answer = await client.send(method, path, body);
      expect([method, path, answer.status, errorsOf(answer)]).toEqual([
        method,
        path,
        403,
        [['forbidden', undefined]],
      ]);
    }
  });
});

describe('a key with listed permissions', () => {
  const makeLimitedClient = async (...permissions: string[]) =>
    api.as(await (await api.fixtures.getDemoMerchant()).makeKey({ permissions }));

  it('may use exactly these', async () => {
    const client = await makeLimitedClient(
      'consumer.customers.read',
      'transaction.payment_demands.create',
    );
    expect((await client.get('/v2/customers')).status).toBe(200);
    expect((await client.get(`/v2/customers/${customer.id}`)).status).toBe(200);
    expect((await makeDemand(client)).type).toBe('payment_demands');
    for (const [method, path, body] of listRequests()) {
      const isAllowed = method === 'GET' && /^\/v2\/customers(?:\/[^/]+)?$/.test(path);
      expect([method, path, (await client.send(method, path, body)).status]).toEqual([
        method,
        path,
        isAllowed ? 200 : 403,
      ]);
    }
  });

  it.each([
    ['include', '/v2/payment_demands?include=payer'],
    ['filter', '/v2/payment_demands?filter[payer.email]=a@example.com'],
    ['filter over a chain', '/v2/payment_demands?filter[payer.payment_methods.kind]=visa'],
    ['sort', '/v2/payment_demands?sort=payer.name'],
  ])('sees no other types through an %s', async (_title, path) => {
    const client = await makeLimitedClient('transaction.payment_demands.read');
    expect((await client.get('/v2/payment_demands')).status).toBe(200);
    const answer = await client.get(path);
    expect([answer.status, answer.body.errors?.[0]?.detail]).toEqual([
      403,
      expect.stringMatching(/customers|payment_methods/),
    ]);
  });

  it('sees no other types through a relationship', async () => {
    const client = await makeLimitedClient('transaction.payment_demands.read');
    const path = `/v2/payment_demands/${demand.id}/relationships/payer`;
    expect((await client.get(path)).status).toBe(403);
  });

  it('sees secrets of webhooks only with the permission to rotate them, and once at their creation', async () => {
    const secretSeenWith = async (...permissions: string[]) => {
      const reader = await makeLimitedClient(
        'developer.webhook_subscriptions.read',
        ...permissions,
      );
      const [subscription] = (await reader.get('/v2/webhook_subscriptions')).body.data;
      return subscription.attributes.secret_key;
    };
    const created = await (
      await makeLimitedClient('developer.webhook_subscriptions.create', 'consumer.customers.read')
    ).make('webhook_subscriptions', {
      url: 'http://localhost:9/hook',
      events: ['consumer.customers.created'],
    });
    expect(created.attributes.secret_key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await secretSeenWith()).toBeUndefined();
    expect(await secretSeenWith('developer.webhook_subscriptions.update')).toMatch(
      /^[A-Za-z0-9_-]{43}$/,
    );
  });

  it('creates no key with more permissions than itself', async () => {
    const client = await makeLimitedClient('user.merchant_tokens.create');
    const { attributes } = await client.make('merchant_tokens', { name: 'x', context: 'secret' });
    expect((await api.as(attributes.token).get('/v2/customers')).status).toBe(403);
  });

  it('updates with the permission to update', async () => {
    const client = await makeLimitedClient('consumer.customers.update');
    expect((await patch({ client }, customer, { name: 'Updated' })).status).toBe(200);
    expect((await client.get(`/v2/customers/${customer.id}`)).status).toBe(403);
  });
});

describe('the stored data of keys', () => {
  it('is a hash: no row of any table contains a key', async () => {
    const merchantToken = await api.client.make('merchant_tokens', {
      name: 'Till',
      context: 'secret',
    });
    const { sandbox, live } = api.stack.credentials;
    const keys = [
      merchantToken.attributes.token,
      ...Object.values(sandbox),
      ...Object.values(live),
    ];
    const tables = await api.fixtures.db.query(
      'select table_name from information_schema.tables where table_schema = current_schema()',
      [],
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { table_name } of tables) {
      const rows = await api.fixtures.db.query(`select t::text as text from ${table_name} t`, []);
      const text = rows.map((row) => row.text).join('\n');
      for (const key of keys) expect(text, table_name!).not.toContain(key.slice(-24));
    }
    const tokens = await api.fixtures.db.query('select token_hash from merchant_tokens', []);
    expect(tokens.every(({ token_hash }) => /^\\x[0-9a-f]{64}$/.test(token_hash!))).toBe(true);
  });
});
