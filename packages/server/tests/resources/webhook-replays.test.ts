import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import {
  type Answer,
  type Client,
  documentOf,
  type ResourceObject,
  UNKNOWN_ID,
} from '../support/client.ts';
import { deliveriesOf, makeHook, makeWaitingReplay, replayDraftOf } from '../support/hooks.ts';
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
let unreachableHook: ResourceObject;
beforeAll(async () => {
  unreachableHook = await makeHook(api.client);
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
      { ...replayDraftOf(hook).attributes, ...attributes },
      { webhook_subscription: hook },
    ),
  );

/** Runs a replay until it has finished. Returns its status and counts. */
async function runReplay(hook: ResourceObject, attributes: object = {}): Promise<unknown[]> {
  const { status, body } = await requestReplay(hook, attributes);
  expect([status, body.errors]).toEqual([201, undefined]);
  const { attributes: finished } = await eventually(
    () => api.client.fetch('webhook_replays', body.data.id),
    (record) => record.attributes.status !== 'pending',
  );
  expect(finished.finished_at).not.toBeNull();
  return [finished.status, finished.matched_count, finished.queued_count];
}

/** Creates a subscription, its receiver, and customers whose events are delivered. */
async function deliverEvents(customerCount: number) {
  const receiver = await startReceiver({ '/hook': () => 200 });
  const url = `${receiver.origin}/hook`;
  const hook = await makeHook(api.client, { url, events: CUSTOMERS });
  const customers: ResourceObject[] = [];
  for (let count = 0; count < customerCount; count++)
    customers.push(await makeCustomer(api.client));
  await waitUntilFinal(hook, customerCount);
  return { hook, customers, receiver };
}

/** Waits until all deliveries of a subscription are final. Returns them. */
const waitUntilFinal = (hook: ResourceObject, count: number): Promise<ResourceObject[]> =>
  eventually(
    () => deliveriesOf(api.client, hook),
    (deliveries) =>
      deliveries.length === count &&
      deliveries.every(({ attributes }) => attributes.status !== 'pending'),
  );

const receivedIdsOf = ({ requests }: Receiver): string[] =>
  requests.map(({ headers }) => headers['webhook-id'] as string);

describe('a webhook replay', () => {
  describeReads(api, 'webhook_replays', () => makeWaitingReplay(api.client, api.fixtures));
  describeRefusedMethods(api, 'webhook_replays');

  it.each<[string, object, string, string]>([
    ['no beginning', { since: undefined }, 'blank', 'since'],
    ['a beginning that is no time', { since: 'monday' }, 'invalid', 'since'],
    ['an end before its beginning', { until: '2025-12-31T00:00:00Z' }, 'invalid', 'since'],
    ['an end in the future', { until: '2999-01-01T00:00:00Z' }, 'invalid', 'until'],
    ['a span of many years', { since: '2001-01-01T00:00:00Z' }, 'too_large', 'since'],
    ['unknown events', { events: ['consumer.customers.sold'] }, 'not_in_list', 'events/0'],
    ['events that are not listed', { events: ['transaction.*'] }, 'invalid', 'events'],
    ['an unknown status', { delivery_statuses: ['lost'] }, 'not_in_list', 'delivery_statuses/0'],
  ])('of %s is refused', async (_title, attributes, code, pointer) => {
    const answer = await requestReplay(unreachableHook, attributes);
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [[code, `/data/attributes/${pointer}`]],
    ]);
  });

  it('to an unknown or archived subscription is refused', async () => {
    const archivedHook = await makeHook(api.client);
    await patch(api, archivedHook, { status: 'archived' });
    for (const id of [UNKNOWN_ID, archivedHook.id]) {
      const answer = await requestReplay({ ...unreachableHook, id });
      const pointer = '/data/relationships/webhook_subscription';
      expect([answer.status, errorsOf(answer)]).toEqual([
        404,
        [['relationship_not_found', pointer]],
      ]);
    }
  });

  it('needs permission to read what is sent', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const createPermission = 'developer.webhook_replays.create';
    const client = api.as(await merchant.makeKey({ permissions: [createPermission] }));
    const answer = await requestReplay(unreachableHook, {}, client);
    expect([answer.status, answer.body.errors?.[0]?.meta]).toEqual([
      403,
      { required_permission: 'consumer.customers.read' },
    ]);
    const key = await merchant.makeKey({
      permissions: [createPermission, 'consumer.customers.read'],
    });
    expect((await requestReplay(unreachableHook, { dry_run: true }, api.as(key))).status).toBe(201);
  });

  it('sends delivered events again, with the same event ids', async () => {
    const { hook, receiver } = await deliverEvents(3);
    await using _ended = receiver;
    const idsBefore = receivedIdsOf(receiver);
    expect(await runReplay(hook, { delivery_statuses: ['delivered'] })).toEqual(['finished', 3, 3]);
    const deliveries = await eventually(
      () => deliveriesOf(api.client, hook),
      (records) => records.every(({ attributes }) => attributes.attempts_count === 2),
    );
    expect(deliveries.map(({ attributes }) => attributes.status)).toEqual(
      Array(3).fill('delivered'),
    );
    expect(receivedIdsOf(receiver).toSorted()).toEqual([...idsBefore, ...idsBefore].toSorted());
  });

  it('only counts in a dry run', async () => {
    const { hook, receiver } = await deliverEvents(2);
    await using _ended = receiver;
    const dryRun = { dry_run: true, delivery_statuses: ['delivered'] };
    expect(await runReplay(hook, dryRun)).toEqual(['finished', 2, 0]);
    expect(await waitUntilFinal(hook, 2)).toHaveLength(2);
    expect(receivedIdsOf(receiver)).toHaveLength(2);
  });

  it('covers the named record, codes and deliveries', async () => {
    const { hook, customers, receiver } = await deliverEvents(2);
    await using _ended = receiver;
    const [customer] = customers as [ResourceObject];
    await patch(api, customer, { name: 'Grace' });
    await waitUntilFinal(hook, 3);
    const countMatches = async (filter: object) =>
      (await runReplay(hook, { dry_run: true, resource_id: customer.id, ...filter }))[1];
    expect(await countMatches({})).toBe(2);
    expect(await countMatches({ events: ['consumer.customers.updated'] })).toBe(1);
    expect(await countMatches({ events: ['consumer.*'] })).toBe(2);
    expect(await countMatches({ delivery_statuses: ['stopped', 'exhausted', 'none'] })).toBe(0);
    expect(await countMatches({ until: customer.attributes.created_at })).toBe(0);
    expect(await countMatches({ resource_id: UNKNOWN_ID })).toBe(0);
  });

  it('sends earlier events to a new subscription', async () => {
    const { id } = await makeCustomer(api.client);
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const hook = await makeHook(api.client, { url: `${receiver.origin}/hook` });
    const filter = { resource_id: id, delivery_statuses: ['none'] };
    expect(await runReplay(hook, filter)).toEqual(['finished', 1, 1]);
    const [delivery] = await waitUntilFinal(hook, 1);
    expect(delivery?.attributes).toMatchObject({ status: 'delivered', attempts_count: 1 });
    expect(await runReplay(hook, filter)).toEqual(['finished', 0, 0]);
  });

  it('is canceled once', async () => {
    const waitingReplay = await makeWaitingReplay(api.client, api.fixtures);
    const cancel = () => api.client.send('PATCH', `/v2/webhook_replays/${waitingReplay.id}/cancel`);
    const { status, body } = await cancel();
    expect([status, body.data.attributes]).toEqual([
      200,
      {
        ...waitingReplay.attributes,
        status: 'canceled',
        finished_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const secondAnswer = await cancel();
    expect([secondAnswer.status, errorsOf(secondAnswer)]).toEqual([
      405,
      [['invalid_state', undefined]],
    ]);
  });

  it('waits for others while ten are in progress', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.makeKey());
    for (let count = 0; count < 10; count++) await makeWaitingReplay(client, api.fixtures);
    const answer = await requestReplay(await makeHook(client), {}, client);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [['limit_reached', '/data']]]);
  });
});
