import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type Client, documentOf, NOBODY } from '../support/client.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { type Route, routes } from '../support/routes.ts';
import { shadowInLive } from '../support/shadow.ts';

const api = useApi();

type Ids = ReadonlyMap<ResourceType, string>;
const ids = {} as Record<'own' | 'merchant' | 'mode', Ids>;
const clients = {} as Record<'publishable', Client>;
const every = [...new Set(routes.flatMap(({ permissions }) => permissions))];
let asked = 0;

beforeAll(async () => {
  await makeOneOfEach(api.client, api.books);
  const demo = await api.books.demo();
  const other = api.as(await (await api.books.makeMerchant()).key());
  await makeOneOfEach(other, api.books);
  await shadowInLive(api.books.db, demo.id);
  clients.publishable = api.as(api.stack.credentials.sandbox.publishable_key);
  ids.own = await firstIds(api.client);
  ids.merchant = await firstIds(other);
  ids.mode = await firstIds(api.live);
});
afterAll(() => console.log(`matrix: ${routes.length} routes, ${asked} requests`));

async function firstIds(client: Client): Promise<Ids> {
  const found = new Map<ResourceType, string>();
  for (const type of Object.keys(resources) as ResourceType[]) {
    const { data } = (await client.get(`/v2/${type}?page[size]=1`)).body;
    expect(data, `${type} has a record`).toHaveLength(1);
    found.set(type, data[0].id);
  }
  return found;
}

interface Asking {
  readonly client?: Client;
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Record<string, string | null>;
}

/** Sends a request to the route, by default with an id of the caller's own. */
function ask(
  route: Omit<Route, 'method'> & { readonly method: string },
  { client = api.client, id, query = '', headers = {} }: Asking,
): Promise<Answer> {
  asked += 1;
  const target = id ?? (ids.own.get(route.type) as string);
  const path = `${route.template.replace('{id}', target)}${query}`;
  return client.send(route.method, path, route.body(target), headers);
}

const ownerOf = ({ type }: Route): string => {
  const { owner, seen_through }: Resource = resources[type];
  return seen_through ? 'merchant' : owner;
};
const withId = routes.filter(({ template }) => template.includes('{id}'));
const hidden = (...owners: string[]) => withId.filter((route) => owners.includes(ownerOf(route)));
const shared = (...owners: string[]) =>
  withId.filter((route) => route.method === 'GET' && owners.includes(ownerOf(route)));

const named = (list: readonly Route[]) =>
  list.map((route) => [`${route.method} ${route.template}`, route] as const);

const notFound = [404, [['not_found', undefined]]];

describe('without a key', () => {
  it.each(named(routes))('%s is 401', async (_name, route) => {
    const answer = await ask(route, { headers: { authorization: null } });
    expect([answer.status, errorsOf(answer)]).toEqual([401, [['unauthorized', 'Authorization']]]);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('with a publishable key', () => {
  it.each(named(routes))('%s is 403', async (_name, route) => {
    const answer = await ask(route, { client: clients.publishable });
    expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', undefined]]]);
  });
});

describe('with a key that has every other permission', () => {
  const cases = routes.flatMap((route) =>
    route.permissions.map(
      (permission) => [`${route.method} ${route.template}`, permission, route] as const,
    ),
  );
  const clientWithout = new Map<string, Promise<Client>>();
  const without = (permission: string): Promise<Client> => {
    const client =
      clientWithout.get(permission) ??
      api.books
        .demo()
        .then((demo) => demo.key({ permissions: every.filter((slug) => slug !== permission) }))
        .then(api.as);
    clientWithout.set(permission, client);
    return client;
  };

  it.each(cases)('%s is 403 that names %s', async (_name, permission, route) => {
    const answer = await ask(route, { client: await without(permission) });
    expect([answer.status, errorsOf(answer)]).toEqual([403, [['forbidden', undefined]]]);
    expect(answer.body.errors?.[0]?.detail).toContain(permission);
    expect(answer.body.errors?.[0]?.meta).toMatchObject({ required_permission: permission });
  });
});

describe('with an id of another merchant', () => {
  it.each(named(hidden('mode', 'merchant')))('%s is 404', async (_name, route) => {
    const answer = await ask(route, { id: ids.merchant.get(route.type) as string });
    expect([answer.status, errorsOf(answer)]).toEqual(notFound);
  });

  it.each(named(shared('platform')))('%s is that of everybody', async (_name, route) => {
    expect((await ask(route, { id: ids.merchant.get(route.type) as string })).status).toBe(200);
  });
});

describe('with an id of the other mode', () => {
  it.each(named(hidden('mode')))('%s is 404', async (_name, route) => {
    const answer = await ask(route, { id: ids.mode.get(route.type) as string });
    expect([answer.status, errorsOf(answer)]).toEqual(notFound);
  });

  it.each(named(shared('merchant', 'platform')))('%s is that of both', async (_name, route) => {
    expect((await ask(route, { id: ids.mode.get(route.type) as string })).status).toBe(200);
  });
});

describe('with an invalid id', () => {
  it.each(named(withId))('%s is 404', async (_name, route) => {
    const answer = await ask(route, { id: 'no-uuid' });
    expect([answer.status, errorsOf(answer)]).toEqual(notFound);
  });
});

describe('with an unknown parameter', () => {
  it.each(named(routes))('%s is 400 that names it', async (_name, route) => {
    const answer = await ask(route, { query: '?foo=1' });
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', 'foo']]]);
  });
});

describe('headers for caches and browsers', () => {
  const told = ({ headers }: Pick<Answer, 'headers'>) => [
    headers.get('cache-control'),
    headers.get('x-content-type-options'),
  ];
  const plain = ['private, no-cache', 'nosniff'];
  const secret = ['no-store', 'nosniff'];
  /** Types whose records show secrets, or equivalents, to this key. */
  const secretive = new Set<ResourceType>([
    'letters',
    'payment_methods',
    'personal_identifications',
    'webhook_subscriptions',
  ]);

  it.each(named(routes.filter(({ method }) => method === 'GET')))('by %s', async (_name, route) => {
    const answer = await ask(route, {});
    const shown = answer.status === 200 ? [answer.body.data].flat() : [];
    const isSecret = shown.some((record) => secretive.has(record?.type));
    expect(told(answer)).toEqual(isSecret ? secret : plain);
    const { etag } = Object.fromEntries(answer.headers);
    const again = await ask(route, { headers: { 'if-none-match': etag ?? '"none"' } });
    expect(told(again)).toEqual(told(answer));
  });

  it.each(named(withId))(
    'are set by %s without a key, and by its OPTIONS',
    async (_name, route) => {
      expect(told(await ask(route, { headers: { authorization: null } }))).toEqual(plain);
      expect(told(await ask({ ...route, method: 'OPTIONS' }, {}))).toEqual(plain);
      expect(told(await ask({ ...route, method: 'DELETE' }, {}))).toEqual(plain);
    },
  );

  it('are set by answers that show a secret once, directly or included', async () => {
    const key = documentOf('merchant_tokens', { name: 'Till', context: 'secret' });
    const made = await api.client.send('POST', '/v2/merchant_tokens', key);
    expect([made.status, told(made)]).toEqual([201, secret]);
    expect(told(await api.client.get(`/v2/merchant_tokens/${made.body.data.id}`))).toEqual(plain);
    const id = ids.own.get('payment_demands');
    const alone = await api.client.get(`/v2/payment_demands/${id}`);
    const beside = await api.client.get(`/v2/payment_demands/${id}?include=payment_method`);
    expect([told(alone), told(beside)]).toEqual([plain, secret]);
    const few = '/v2/webhook_subscriptions?fields[webhook_subscriptions]=url';
    expect(told(await api.client.get(few))).toEqual(plain);
  });

  it.each([
    ['an address that is none', 'baseUrl', '/v2/nothing', plain],
    ['an address that cannot be read', 'baseUrl', '/v2/%zz', plain],
    ['metering', 'baseUrl', '/v1/meters', plain],
    ['the tests of a shop', 'baseUrl', '/sandbox/drain?timeout=0', plain],
    ['the dashboard', 'baseUrl', '/dashboard/api/me', secret],
    ['no address of the dashboard', 'baseUrl', '/dashboard/api/nothing', plain],
    ['a probe', 'baseUrl', '/livez', plain],
    ['no page', 'baseUrl', '/nothing', plain],
    ['the interface in words', 'baseUrl', '/v2/openapi.json', ['no-cache', 'nosniff']],
    ['no page of the pay origin', 'payUrl', '/v2/nothing', plain],
    ['no form', 'payUrl', `/pay/${NOBODY}`, secret],
    ['no link', 'payUrl', '/l/nothing', secret],
  ] as const)('by %s', async (_what, origin, path, expected) => {
    const { headers } = await rawRequest(api.stack[origin], {
      path,
      headers: { 'user-agent': 'florin-tests/1', host: new URL(api.stack[origin]).host },
    });
    expect(told({ headers })).toEqual(expected);
  });
});

it('covers every route', () => {
  expect(routes.length).toBeGreaterThan(140);
  expect(new Set(routes.map(({ type }) => type)).size).toBe(Object.keys(resources).length);
});
