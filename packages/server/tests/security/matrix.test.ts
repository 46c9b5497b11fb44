import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { cachingHeadersOf, NO_STORE, PRIVATE } from '../support/caching.ts';
import { type Answer, type Client, documentOf, UNKNOWN_ID } from '../support/client.ts';
import { makeHook } from '../support/hooks.ts';
import { makeDemand, makeParties } from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { type Route, routes } from '../support/routes.ts';

const api = useApi();
const slugs = [...new Set(routes.flatMap(({ permissions }) => permissions))];

/** Sends a request to the route. By default the id is unknown: permissions are checked before the lookup. */
const sendTo = (
  { method, template, bodyFor }: Route,
  client: Client = api.client,
  id = UNKNOWN_ID,
): Promise<Answer> => client.send(method, template.replace('{id}', id), bodyFor(id));

const nameOf = ({ method, template }: Route): string => `${method} ${template}`;

/** A route of each kind: all types share their handlers. */
const routesByKind = [
  'GET /v2/payment_demands',
  'GET /v2/payment_demands/{id}',
  'GET /v2/payment_demands/{id}/relationships/payer',
  'GET /v2/payment_demands/{id}/relationships/refund_demands',
  'POST /v2/payment_demands',
  'PATCH /v2/payment_demands/{id}',
  'PATCH /v2/payment_demands/{id}/confirm',
].map((name) => [name, routes.find((route) => nameOf(route) === name) as Route] as const);
const routesWithId = routesByKind.filter(([name]) => name.includes('{id}'));

describe('a key that has every other permission than', () => {
  it.each(slugs)(
    '%s is refused at every route that needs it, which says so',
    async (permission) => {
      const demo = await api.fixtures.getDemoMerchant();
      const otherPermissions = slugs.filter((slug) => slug !== permission);
      const client = api.as(await demo.makeKey({ permissions: otherPermissions }));
      const guardedRoutes = routes.filter(({ permissions }) => permissions.includes(permission));
      const answers = await Promise.all(guardedRoutes.map((route) => sendTo(route, client)));
      const outcomes = answers.map((answer, index) => [
        nameOf(guardedRoutes[index] as Route),
        answer.status,
        errorsOf(answer),
        answer.body.errors?.[0]?.detail.includes(permission),
        answer.body.errors?.[0]?.meta?.required_permission,
      ]);
      expect(outcomes).toEqual(
        guardedRoutes.map((route) => [
          nameOf(route),
          403,
          [['forbidden', undefined]],
          true,
          permission,
        ]),
      );
    },
  );
});

it.each(routesWithId)('%s with an invalid id is 404', async (_name, route) => {
  const answer = await sendTo(route, api.client, 'no-uuid');
  expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
});

/** statuses.test.ts checks the responses of every route. */
describe('headers for caches and browsers', () => {
  it.each(routesByKind)(
    'are set at %s by its OPTIONS and by a refused method',
    async (_name, route) => {
      const path = route.template.replace('{id}', UNKNOWN_ID);
      expect(cachingHeadersOf(await api.client.send('OPTIONS', path))).toEqual(PRIVATE);
      expect(cachingHeadersOf(await api.client.send('DELETE', path))).toEqual(PRIVATE);
    },
  );

  it('are set by answers that show a secret once, directly or included', async () => {
    const document = documentOf('merchant_tokens', { name: 'Till', context: 'secret' });
    const answer = await api.client.send('POST', '/v2/merchant_tokens', document);
    expect([answer.status, cachingHeadersOf(answer)]).toEqual([201, NO_STORE]);
    const { id: tokenId } = answer.body.data;
    expect(cachingHeadersOf(await api.client.get(`/v2/merchant_tokens/${tokenId}`))).toEqual(
      PRIVATE,
    );
    const { id } = await makeDemand(api.client, {}, await makeParties(api.client));
    const plainAnswer = await api.client.get(`/v2/payment_demands/${id}`);
    const includingAnswer = await api.client.get(
      `/v2/payment_demands/${id}?include=payment_method`,
    );
    expect([cachingHeadersOf(plainAnswer), cachingHeadersOf(includingAnswer)]).toEqual([
      PRIVATE,
      NO_STORE,
    ]);
    await makeHook(api.client);
    const sparsePath = '/v2/webhook_subscriptions?fields[webhook_subscriptions]=url';
    expect(cachingHeadersOf(await api.client.get(sparsePath))).toEqual(PRIVATE);
  });

  it.each([
    ['an unknown address', 'baseUrl', '/v2/nothing', PRIVATE],
    ['an unreadable address', 'baseUrl', '/v2/%zz', PRIVATE],
    ['metering', 'baseUrl', '/v1/meters', PRIVATE],
    ['the drain of a sandbox', 'baseUrl', '/sandbox/drain?timeout=0', PRIVATE],
    ['the dashboard', 'baseUrl', '/dashboard/api/me', NO_STORE],
    ['an unknown address of the dashboard', 'baseUrl', '/dashboard/api/nothing', PRIVATE],
    ['a probe', 'baseUrl', '/livez', PRIVATE],
    ['an unknown page', 'baseUrl', '/nothing', PRIVATE],
    ['the OpenAPI document', 'baseUrl', '/v2/openapi.json', ['no-cache', 'nosniff']],
    ['an unknown page of the pay origin', 'payUrl', '/v2/nothing', PRIVATE],
    ['an unknown form', 'payUrl', `/pay/${UNKNOWN_ID}`, NO_STORE],
    ['an unknown link', 'payUrl', '/l/nothing', NO_STORE],
  ] as const)('by %s', async (_title, origin, path, expected) => {
    const { headers } = await rawRequest(api.stack[origin], {
      path,
      headers: { 'user-agent': 'florin-tests/1', host: new URL(api.stack[origin]).host },
    });
    expect(cachingHeadersOf({ headers })).toEqual(expected);
  });
});

it('covers every route', () => {
  expect(routes.length).toBeGreaterThan(140);
  expect(new Set(routes.map(({ type }) => type)).size).toBe(Object.keys(resources).length);
  expect(routesByKind.map(([, route]) => route)).not.toContain(undefined);
});
