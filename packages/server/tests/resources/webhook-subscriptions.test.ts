import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';

const api = useApi();
const validAttributes = {
  url: 'https://shop.example/hook',
  events: ['transaction.payment_demands.succeeded', 'transaction.payment_demands.updated'],
};
/** A URL without a subscription. */
const newUrl = (): string => `https://shop.example/${randomUUID()}`;
const make = (attributes: object = {}): Promise<ResourceObject> =>
  api.client.make('webhook_subscriptions', { ...validAttributes, url: newUrl(), ...attributes });
const listHooks = async (query = ''): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/webhook_subscriptions${query}`)).body.data;
const idsOf = (records: readonly ResourceObject[]): string[] => records.map(({ id }) => id);

describe('a webhook subscription', () => {
  describeReads(api, 'webhook_subscriptions', make, ['webhook_deliveries']);
  describeRefusedMethods(api, 'webhook_subscriptions');

  it('is active, in the mode of the key, with fifty concurrent deliveries', async () => {
    const url = newUrl();
    expect((await make({ url })).attributes).toMatchObject({
      ...validAttributes,
      url,
      status: 'active',
      mode: 'sandbox',
      concurrency_limit: 50,
      description: null,
      archived_at: null,
    });
  });

  it('shows the same secret key in create, fetch and list', async () => {
    const subscription = await make();
    expect(subscription.attributes.secret_key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await api.client.fetch('webhook_subscriptions', subscription.id)).toEqual(subscription);
    expect((await listHooks()).find(({ id }) => id === subscription.id)).toEqual(subscription);
  });

  it.each([
    [['read'], false],
    [['read', 'create'], false],
    [['read', 'update'], true],
    [['read', 'create', 'update'], true],
  ])('shows its secret to a key with %j: %s', async (actions, isShown) => {
    const { id } = await make();
    const permissions = actions.map((action) => `developer.webhook_subscriptions.${action}`);
    const client = api.as(await (await api.fixtures.getDemoMerchant()).makeKey({ permissions }));
    const fetched = await client.fetch('webhook_subscriptions', id);
    const { data } = (await client.get('/v2/webhook_subscriptions')).body;
    const listed = data.find((hook: ResourceObject) => hook.id === id);
    expect([fetched, listed].map(({ attributes }) => !!attributes.secret_key)).toEqual([
      isShown,
      isShown,
    ]);
  });

  it('shows its secret once to a key that can only create it', async () => {
    const permissions = [
      'developer.webhook_subscriptions.read',
      'developer.webhook_subscriptions.create',
      'transaction.payment_demands.read',
    ];
    const client = api.as(await (await api.fixtures.getDemoMerchant()).makeKey({ permissions }));
    const created = await client.make('webhook_subscriptions', {
      ...validAttributes,
      url: newUrl(),
    });
    expect(created.attributes.secret_key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const { attributes } = await client.fetch('webhook_subscriptions', created.id);
    expect(attributes.secret_key ?? null).toBeNull();
  });

  it('is found by its address', async () => {
    const { id } = await make({ url: 'https://shop.example/found?a=1' });
    await make();
    const url = encodeURIComponent('https://shop.example/found?a=1');
    expect(idsOf(await listHooks(`?filter[url]=${url}&page[size]=100`))).toEqual([id]);
  });

  it.each([1, 100])('may have %i concurrent deliveries', async (concurrency_limit) => {
    expect((await make({ concurrency_limit })).attributes.concurrency_limit).toBe(
      concurrency_limit,
    );
  });

  describeRefusals(api, { type: 'webhook_subscriptions', validAttributes, make }, [
    ['no address', { url: undefined }, 'blank'],
    ['an address without a host', { url: 'https://' }, 'invalid'],
    ['an address that is no http', { url: 'ftp://shop.example' }, 'invalid'],
    ['no events', { events: undefined }, 'blank'],
    ['an empty list of events', { events: [] }, 'too_few_items'],
    ['events that are no list', { events: 'transaction.payment_demands.failed' }, 'invalid'],
    [
      'an event that does not exist',
      { events: [...validAttributes.events, 'transaction.payment_demands.paid'] },
      'not_in_list',
      'events/2',
    ],
    ['a description of 9 characters', { description: 'too short' }, 'too_few_characters'],
    ['no delivery at a time', { concurrency_limit: 0 }, 'too_small'],
    ['101 deliveries at a time', { concurrency_limit: 101 }, 'over_limit'],
    ['the other mode', { mode: 'live' }, 'mode_mismatch'],
    ['a mode that does not exist', { mode: 'test' }, 'not_in_list'],
    ['a secret of its own choice', { secret_key: 'x' }, 'read_only'],
  ]);

  it.each([
    [
      'payment_demand.suceeded',
      'the nearest are transaction.payment_demands.succeeded, transaction.payment_demands.',
    ],
    ['0', 'values that the API reference lists.'],
  ])('is refused with the events nearest to %s', async (code, expected) => {
    const { body } = await api.client.send('POST', '/v2/webhook_subscriptions', {
      data: { type: 'webhook_subscriptions', attributes: { ...validAttributes, events: [code] } },
    });
    expect(body.errors?.[0]?.detail).toContain(expected);
    expect(body.errors?.[0]?.detail.length).toBeLessThan(250);
  });

  it('accepts no status in a create', async () => {
    const answer = await api.client.send('POST', '/v2/webhook_subscriptions', {
      data: { type: 'webhook_subscriptions', attributes: { ...validAttributes, status: 'paused' } },
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['read_only', '/data/attributes/status']],
    ]);
  });

  it('updates only the given attributes, and keeps its secret', async () => {
    const subscription = await make();
    const events = ['transaction.payment_demands.failed'];
    const { status, body } = await patch(api, subscription, { events, status: 'active' });
    expect(status).toBe(200);
    expect(body.data.attributes).toEqual({
      ...subscription.attributes,
      events,
      updated_at: expect.any(String),
    });
  });

  it('that is archived is not listed, and is still found by its id', async () => {
    const subscription = await make();
    const answer = await patch(api, subscription, {
      status: 'archived',
      url: 'https://ignored.example',
    });
    expect(answer.body.data.attributes).toMatchObject({
      status: 'archived',
      url: subscription.attributes.url,
      archived_at: expect.any(String),
    });
    expect(idsOf(await listHooks())).not.toContain(subscription.id);
    expect(await api.client.fetch('webhook_subscriptions', subscription.id)).toEqual(
      answer.body.data,
    );
  });

  it('cannot be archived twice, nor changed afterwards', async () => {
    const subscription = await make();
    await patch(api, subscription, { status: 'archived' });
    const secondAnswer = await patch(api, subscription, { status: 'archived' });
    expect([secondAnswer.status, errorsOf(secondAnswer)]).toEqual([
      422,
      [['already_archived', '/data/attributes/status']],
    ]);
    const updateAnswer = await patch(api, subscription, { url: 'https://other.example' });
    expect([updateAnswer.status, errorsOf(updateAnswer)]).toEqual([422, [['immutable', '/data']]]);
  });

  it.each([
    ['sandbox', 'http://localhost:3000/hook', 201],
    ['sandbox', 'http://10.0.0.7/hook', 201],
    ['live', 'http://shop.example/hook', 422],
    ['live', 'https://localhost/hook', 422],
    ['live', 'https://10.0.0.7/hook', 422],
    ['live', 'https://shop.example/hook', 201],
  ])('of %s mode to %s is answered %i', async (mode, url, status) => {
    const client = mode === 'live' ? api.live : api.client;
    const answer = await client.send('POST', '/v2/webhook_subscriptions', {
      data: { type: 'webhook_subscriptions', attributes: { ...validAttributes, url } },
    });
    expect(answer.status).toBe(status);
    if (status === 422)
      expect(errorsOf(answer)).toEqual([['url_not_allowed', '/data/attributes/url']]);
  });
});
