import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { cachingOf, NO_STORE, PRIVATE } from '../support/caching.ts';
import { type Answer, type Client, documentOf, NOBODY } from '../support/client.ts';
import { makeHook } from '../support/hooks.ts';
import { makeDemand, makeParties } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { type Route, routes } from '../support/routes.ts';

const api = useApi();
const slugs = [...new Set(routes.flatMap(({ permissions }) => permissions))];

/** Sends a request to the route, with an id that no record has: all of these are refused before it matters. */
const sendTo = (
  { method, template, body }: Route,
  client: Client = api.client,
  id = NOBODY,
): Promise<Answer> => client.send(method, template.replace('{id}', id), body(id));

const nameOf = ({ method, template }: Route): string => `${method} ${template}`;

/** A route of each kind: all types share their handlers. */
const kinds = [
  'GET /v2/payment_demands',
  'GET /v2/payment_demands/{id}',
  'GET /v2/payment_demands/{id}/relationships/payer',
  'GET /v2/payment_demands/{id}/relationships/refund_demands',
  'POST /v2/payment_demands',
  'PATCH /v2/payment_demands/{id}',
  'PATCH /v2/payment_demands/{id}/confirm',
].map((name) => [name, routes.find((route) => nameOf(route) === name) as Route] as const);
const withId = kinds.filter(([name]) => name.includes('{id}'));

describe('a key that has every other permission than', () => {
  it.each(slugs)(
    '%s is refused at every route that needs it, which says so',
    async (permission) => {
      const demo = await api.fixtures.demo();
      const others = slugs.filter((slug) => slug !== permission);
      const client = api.as(await demo.key({ permissions: others }));
      const needing = routes.filter(({ permissions }) => permissions.includes(permission));
      const answers = await Promise.all(needing.map((route) => sendTo(route, client)));
      const outcomes = answers.map((answer, at) => [
        nameOf(needing[at] as Route),
        answer.status,
        errorsOf(answer),
        answer.body.errors?.[0]?.detail.includes(permission),
        answer.body.errors?.[0]?.meta?.required_permission,
      ]);
      expect(outcomes).toEqual(
        needing.map((route) => [nameOf(route), 403, [['forbidden', undefined]], true, permission]),
      );
    },
  );
});

it.each(withId)('%s with an invalid id is 404', async (_name, route) => {
  const answer = await sendTo(route, api.client, 'no-uuid');
  expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
});

/** statuses.test.ts checks the responses of every route. */
describe('headers for caches and browsers', () => {
  it.each(kinds)('are set at %s by its OPTIONS and by a refused method', async (_name, route) => {
    const path = route.template.replace('{id}', NOBODY);
    expect(cachingOf(await api.client.send('OPTIONS', path))).toEqual(PRIVATE);
    expect(cachingOf(await api.client.send('DELETE', path))).toEqual(PRIVATE);
  });

  it('are set by answers that show a secret once, directly or included', async () => {
    const key = documentOf('merchant_tokens', { name: 'Till', context: 'secret' });
    const made = await api.client.send('POST', '/v2/merchant_tokens', key);
    expect([made.status, cachingOf(made)]).toEqual([201, NO_STORE]);
    const { id: token } = made.body.data;
    expect(cachingOf(await api.client.get(`/v2/merchant_tokens/${token}`))).toEqual(PRIVATE);
    const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
    const alone = await api.client.get(`/v2/payment_demands/${id}`);
    const beside = await api.client.get(`/v2/payment_demands/${id}?include=payment_method`);
    expect([cachingOf(alone), cachingOf(beside)]).toEqual([PRIVATE, NO_STORE]);
    await makeHook(api.client);
    const few = '/v2/webhook_subscriptions?fields[webhook_subscriptions]=url';
    expect(cachingOf(await api.client.get(few))).toEqual(PRIVATE);
  });

  it.each([
    ['an address that is none', 'baseUrl', '/v2/nothing', PRIVATE],
    ['an address that cannot be read', 'baseUrl', '/v2/%zz', PRIVATE],
    ['metering', 'baseUrl', '/v1/meters', PRIVATE],
    ['the tests of a shop', 'baseUrl', '/sandbox/drain?timeout=0', PRIVATE],
    ['the dashboard', 'baseUrl', '/dashboard/api/me', NO_STORE],
    ['no address of the dashboard', 'baseUrl', '/dashboard/api/nothing', PRIVATE],
    ['a probe', 'baseUrl', '/livez', PRIVATE],
    ['no page', 'baseUrl', '/nothing', PRIVATE],
    ['the interface in words', 'baseUrl', '/v2/openapi.json', ['no-cache', 'nosniff']],
    ['no page of the pay origin', 'payUrl', '/v2/nothing', PRIVATE],
    ['no form', 'payUrl', `/pay/${NOBODY}`, NO_STORE],
    ['no link', 'payUrl', '/l/nothing', NO_STORE],
  ] as const)('by %s', async (_what, origin, path, expected) => {
    const { headers } = await rawRequest(api.stack[origin], {
      path,
      headers: { 'user-agent': 'florin-tests/1', host: new URL(api.stack[origin]).host },
    });
    expect(cachingOf({ headers })).toEqual(expected);
  });
});

it('covers every route', () => {
  expect(routes.length).toBeGreaterThan(140);
  expect(new Set(routes.map(({ type }) => type)).size).toBe(Object.keys(resources).length);
  expect(kinds.map(([, route]) => route)).not.toContain(undefined);
});
