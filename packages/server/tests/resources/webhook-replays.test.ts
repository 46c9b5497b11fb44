import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import {
  type Answer,
  type Client,
  documentOf,
  NOBODY,
  type ResourceObject,
} from '../support/client.ts';
import { deliveriesOf, makeHook, makeWaitingReplay, replayOf } from '../support/hooks.ts';
import { eventually, makeCustomer } from '../support/make.ts';
import {
  describeReads,
  describeRefusedMethods,
  errorsOf,
  patch,
} from '../support/resource-suite.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const api = useApi();
const CUSTOMERS = ['consumer.customers.created', 'consumer.customers.updated'];
let deaf: ResourceObject;
beforeAll(async () => {
  deaf = await makeHook(api.client);
});

const requestReplay = (
  hook: ResourceObject,
  attributes: object = {},
  client: Client = api.client,
): Promise<Answer> =>
  client.send(
    'POST',
    '/v2/webhook_replays',
    documentOf(
      'webhook_replays',
      { ...replayOf(hook).attributes, ...attributes },
      { webhook_subscription: hook },
    ),
  );

/** The finished replay and its counts. */
async function replay(hook: ResourceObject, attributes: object = {}): Promise<unknown[]> {
  const { status, body } = await requestReplay(hook, attributes);
  expect([status, body.errors]).toEqual([201, undefined]);
  const { attributes: done } = await eventually(
    () => api.client.fetch('webhook_replays', body.data.id),
    (one) => one.attributes.status !== 'pending',
  );
  expect(done.finished_at).not.toBeNull();
  return [done.status, done.matched_count, done.queued_count];
}

/** A subscription, its receiver, and customers whose events were delivered. */
async function deliverEvents(customers: number) {
  const receiver = await startReceiver({ '/hook': () => 200 });
  const url = `${receiver.origin}/hook`;
  const hook = await makeHook(api.client, { url, events: CUSTOMERS });
  const made: ResourceObject[] = [];
  for (let count = 0; count < customers; count++) made.push(await makeCustomer(api.client));
  await untilOver(hook, customers);
  return { hook, made, receiver };
}

/** Deliveries of a subscription, once all of them are final. */
const untilOver = (hook: ResourceObject, count: number): Promise<ResourceObject[]> =>
  eventually(
    () => deliveriesOf(api.client, hook),
    (all) => all.length === count && all.every(({ attributes }) => attributes.status !== 'pending'),
  );

const arrivalsAt = ({ received }: Receiver): string[] =>
  received.map(({ headers }) => headers['webhook-id'] as string);

describe('a webhook replay', () => {
  describeReads(api, 'webhook_replays', () => makeWaitingReplay(api.client, api.fixtures));
  describeRefusedMethods(api, 'webhook_replays');

  it.each<[string, object, string, string]>([
    ['no beginning', { since: undefined }, 'blank', 'since'],
    ['a beginning that is no time', { since: 'monday' }, 'invalid', 'since'],
    ['an end before its beginning', { until: '2025-12-31T00:00:00Z' }, 'invalid', 'since'],
    ['an end to come', { until: '2999-01-01T00:00:00Z' }, 'invalid', 'until'],
    ['a span of many years', { since: '2001-01-01T00:00:00Z' }, 'too_large', 'since'],
    [
      'events that there are not',
      { events: ['consumer.customers.sold'] },
      'not_in_list',
      'events/0',
    ],
    ['events that are not listed', { events: ['transaction.*'] }, 'invalid', 'events'],
    [
      'a status that there is not',
      { delivery_statuses: ['lost'] },
      'not_in_list',
      'delivery_statuses/0',
    ],
  ])('of %s is refused', async (_what, attributes, code, below) => {
    const answer = await requestReplay(deaf, attributes);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, `/data/attributes/${below}`]]]);
  });

  it('to an unknown or archived subscription is refused', async () => {
    const archived = await makeHook(api.client);
    await patch(api, archived, { status: 'archived' });
    for (const id of [NOBODY, archived.id]) {
      const answer = await requestReplay({ ...deaf, id });
      const pointer = '/data/relationships/webhook_subscription';
      expect([answer.status, errorsOf(answer)]).toEqual([
        404,
        [['relationship_not_found', pointer]],
      ]);
    }
  });

  it('needs permission to read what is sent', async () => {
    const merchant = await api.fixtures.demo();
    const create = 'developer.webhook_replays.create';
    const client = api.as(await merchant.key({ permissions: [create] }));
    const answer = await requestReplay(deaf, {}, client);
    expect([answer.status, answer.body.errors?.[0]?.meta]).toEqual([
      403,
      { required_permission: 'consumer.customers.read' },
    ]);
    const key = await merchant.key({ permissions: [create, 'consumer.customers.read'] });
    expect((await requestReplay(deaf, { dry_run: true }, api.as(key))).status).toBe(201);
  });

  it('sends delivered events again, with the same event ids', async () => {
    const { hook, receiver } = await deliverEvents(3);
    await using _ended = receiver;
    const before = arrivalsAt(receiver);
    expect(await replay(hook, { delivery_statuses: ['delivered'] })).toEqual(['finished', 3, 3]);
    const deliveries = await eventually(
      () => deliveriesOf(api.client, hook),
      (all) => all.every(({ attributes }) => attributes.attempts_count === 2),
    );
    expect(deliveries.map(({ attributes }) => attributes.status)).toEqual(
      Array(3).fill('delivered'),
    );
    expect(arrivalsAt(receiver).toSorted()).toEqual([...before, ...before].toSorted());
  });

  it('only counts in a dry run', async () => {
    const { hook, receiver } = await deliverEvents(2);
    await using _ended = receiver;
    const dry = { dry_run: true, delivery_statuses: ['delivered'] };
    expect(await replay(hook, dry)).toEqual(['finished', 2, 0]);
    expect(await untilOver(hook, 2)).toHaveLength(2);
    expect(arrivalsAt(receiver)).toHaveLength(2);
  });

  it('covers the named record, codes and deliveries', async () => {
    const { hook, made, receiver } = await deliverEvents(2);
    await using _ended = receiver;
    const [one] = made as [ResourceObject];
    await patch(api, one, { name: 'Grace' });
    await untilOver(hook, 3);
    const countMatches = async (filter: object) =>
      (await replay(hook, { dry_run: true, resource_id: one.id, ...filter }))[1];
    expect(await countMatches({})).toBe(2);
    expect(await countMatches({ events: ['consumer.customers.updated'] })).toBe(1);
    expect(await countMatches({ events: ['consumer.*'] })).toBe(2);
    expect(await countMatches({ delivery_statuses: ['stopped', 'exhausted', 'none'] })).toBe(0);
    expect(await countMatches({ until: one.attributes.created_at })).toBe(0);
    expect(await countMatches({ resource_id: NOBODY })).toBe(0);
  });

  it('sends earlier events to a new subscription', async () => {
    const { id } = await makeCustomer(api.client);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const hook = await makeHook(api.client, { url: `${receiver.origin}/hook` });
    const filter = { resource_id: id, delivery_statuses: ['none'] };
    expect(await replay(hook, filter)).toEqual(['finished', 1, 1]);
    const [delivery] = await untilOver(hook, 1);
    expect(delivery?.attributes).toMatchObject({ status: 'delivered', attempts_count: 1 });
    expect(await replay(hook, filter)).toEqual(['finished', 0, 0]);
  });

  it('is canceled once', async () => {
    const waiting = await makeWaitingReplay(api.client, api.fixtures);
    const cancel = () => api.client.send('PATCH', `/v2/webhook_replays/${waiting.id}/cancel`);
    const { status, body } = await cancel();
    expect([status, body.data.attributes]).toEqual([
      200,
      {
        ...waiting.attributes,
        status: 'canceled',
        finished_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const again = await cancel();
    expect([again.status, errorsOf(again)]).toEqual([405, [['invalid_state', undefined]]]);
  });

  it('waits for others while ten are in progress', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.key());
    for (let count = 0; count < 10; count++) await makeWaitingReplay(client, api.fixtures);
    const answer = await requestReplay(await makeHook(client), {}, client);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['limit_reached', '/data']]]);
  });
});
