import type { Relation, Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileModels } from '../../src/jsonapi/model.ts';
import { createExample } from '../../src/jsonapi/openapi/examples.ts';
import { useOwnStack } from '../support/api.ts';
import {
  type Answer,
  type Client,
  documentOf,
  NOBODY,
  type Relations,
  type ResourceObject,
} from '../support/client.ts';
import {
  makeAddress,
  makeCustomer,
  makeDemand,
  makeParties,
  makeSubscription,
  purchase,
  untilSettled,
} from '../support/make.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';
import { simulatedLive } from '../support/simulated-live.ts';

/** Deliveries to missing endpoints are not retried while the test compares records. */
const api = useOwnStack({ config: { webhook_retry_scale: 1_000 }, processors: simulatedLive() });
const types = Object.keys(resources) as ResourceType[];
const modeTypes = types.filter((type) => resources[type].owner === 'mode');

interface Tenant {
  client: Client;
  /** A record of each type. */
  records: Map<ResourceType, ResourceObject>;
  demand: ResourceObject;
}
const tenants = {} as Record<'own' | 'other merchant' | 'other mode', Tenant>;
const strangers = ['other merchant', 'other mode'] as const;

/** A stranger's payment has no card: live mode has no test tokens. */
async function makeStranger(client: Client): Promise<Tenant> {
  const payer = await makeCustomer(client);
  const billing_address = await makeAddress(client);
  return settle(client, await makeDemand(client, {}, { payer, billing_address }));
}

async function settle(client: Client, demand: ResourceObject): Promise<Tenant> {
  const records = new Map<ResourceType, ResourceObject>();
  for (const type of types) {
    const [record] = (await client.get(`/v2/${type}?page[size]=1`)).body.data;
    if (record) records.set(type, record);
  }
  return { client, records, demand };
}

beforeAll(async () => {
  const other = await api.fixtures.makeMerchant();
  const { id } = await makeOneOfEach(api.client, api.fixtures);
  tenants.own = await settle(api.client, await untilSettled(api.client, id));
  tenants['other merchant'] = await makeStranger(api.as(await other.key()));
  tenants['other mode'] = await makeStranger(api.live);
  expect([...tenants.own.records.keys()]).toEqual(types);
});

/** Platform rows are visible to everybody, except those visible through a membership. */
const ownTypes = types.filter((type) => {
  const { owner, seen_through }: Resource = resources[type];
  return owner !== 'platform' || seen_through !== undefined;
});
const typesHidden = (who: (typeof strangers)[number]): readonly ResourceType[] =>
  who === 'other merchant' ? ownTypes : modeTypes;
const cases = strangers.flatMap((who) => typesHidden(who).map((type) => [who, type] as const));

const sharedCases = strangers.flatMap((who) =>
  types.filter((type) => !typesHidden(who).includes(type)).map((type) => [who, type] as const),
);

/** Requests for a record with a known id: every read and write that its type has. */
function requestsFor(type: ResourceType, id: string): (readonly [string, string, unknown?])[] {
  const { operations, actions = {}, relations }: Resource = resources[type];
  const path = `/v2/${type}/${id}`;
  const document = documentOf(type, {}, {}, id);
  return [
    ['GET', path],
    ['HEAD', path],
    ...Object.keys(relations).map((name) => ['GET', `${path}/relationships/${name}`] as const),
    ...(operations.includes('update') ? [['PATCH', path, document] as const] : []),
    ...Object.keys(actions).map((name) => ['PATCH', `${path}/${name}`, document] as const),
  ];
}

/** Merchant and mode are one scope of every statement, so the other mode takes a sample of the routes. */
const askedBy = (who: (typeof strangers)[number], type: ResourceType, id: string) => {
  const all = requestsFor(type, id);
  return who === 'other merchant' ? all : all.filter(([, path]) => !path.includes('relationships'));
};

describe('for a record of another merchant or mode', () => {
  it.each(cases)('for the %s, %s is unknown at its routes, and in no list', async (who, type) => {
    const { client } = tenants[who];
    const { id, attributes } = tenants.own.records.get(type)!;
    const requests = askedBy(who, type, id);
    const path = `/v2/${type}/${id}`;
    const answers = await Promise.all(requests.map((request) => client.send(...request)));
    const [unknown, record, filtered, list] = await Promise.all([
      client.get(`/v2/${type}/${NOBODY}`),
      api.client.get(path),
      client.get(`/v2/${type}?filter[id]=${id}`),
      client.get(`/v2/${type}`),
    ]);
    expect(answers.map(({ status }, at) => [requests[at], status])).toEqual(
      requests.map((request) => [request, 404]),
    );
    const errorOf = ({ body }: Answer) => body.errors?.map((error) => ({ ...error, id: '' }));
    const texts = answers.filter(({ body }) => body !== undefined);
    expect(texts.map(errorOf)).toEqual(texts.map(() => errorOf(unknown)));
    expect(record.body.data.attributes.updated_at).toBe(attributes.updated_at);
    expect(filtered.body.data).toEqual([]);
    // A failed request appears in the caller's own request log.
    const shown =
      type === 'api_requests'
        ? list.body.data.map((one: { id: string }) => one.id)
        : list.body.data;
    expect(JSON.stringify(shown)).not.toContain(id);
  });

  it.each(sharedCases)('for the %s, %s shows what both see', async (who, type) => {
    const { client } = tenants[who];
    const { id } = tenants.own.records.get(type)!;
    const reads = requestsFor(type, id).filter(([method]) => method === 'GET');
    const answers = await Promise.all(reads.map((request) => client.send(...request)));
    expect(answers.map(({ status }, at) => [reads[at], status])).toEqual(
      reads.map((request) => [request, 200]),
    );
  });

  it.each(strangers)(
    'for the %s, an address that a payment uses is not found, rather than in use',
    async (who) => {
      const used = tenants.own.demand.relationships.billing_address?.data as ResourceObject;
      const answer = await patch(tenants[who], used, { zip: '1' });
      expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
    },
  );
});

describe('a relationship to a record of another merchant or mode', () => {
  const pointed = [
    'buyer',
    'payer',
    'receiver',
    'payment_method',
    'billing_address',
    'shipping_address',
  ];
  const targetOf = (name: string): ResourceObject =>
    tenants.own.records.get(
      resources.payment_demands.relations[name as 'payer'].to as ResourceType,
    )!;

  /** In live mode a test token is refused before anything else. */
  const isCreated = (who: string, type: ResourceType): boolean =>
    resources[type].operations.some((operation) => operation === 'create') &&
    !(who === 'other mode' && type === 'payment_methods');
  const pointing = strangers.flatMap((who) =>
    types
      .filter((type) => isCreated(who, type))
      .filter((type) => who === 'other merchant' || /^(payment|refund)_demands$/.test(type))
      .flatMap((type) =>
        Object.entries<Relation>(resources[type].relations)
          .filter(([, { many, create }]) => !many && create)
          .filter(([, { to }]) => typesHidden(who).some((hidden) => hidden === to))
          .map(([name, { to }]) => [who, type, name, to as ResourceType] as const),
      ),
  );

  /** Required relations of a create, besides a card. */
  const othersOf = async (type: ResourceType, client: Client): Promise<Relations> =>
    type === 'subscription_changes' ? { payment_subscription: await makeSubscription(client) } : {};

  const models = compileModels(resources);
  /** Attributes of a valid create: those of the document's example. */
  const attributesOf = (type: ResourceType): object => {
    const { data } = createExample(models.get(type)!) as { data: { attributes?: object } };
    return data.attributes ?? {};
  };

  it.each(pointing)('for the %s, new %s with its %s are 404 with its pointer', async (...given) => {
    const [who, type, name, to] = given;
    const attributes = type === 'memberships' ? {} : attributesOf(type);
    const others = name === 'payment_method' ? await othersOf(type, tenants[who].client) : {};
    const foreign = { [name]: tenants.own.records.get(to)! };
    const document = documentOf(type, attributes, { ...others, ...foreign });
    const answer = await tenants[who].client.send('POST', `/v2/${type}`, document);
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', `/data/relationships/${name}`]],
    ]);
  });

  it.each(strangers)(
    'for the %s, in a payment that exists is 404 with its pointer',
    async (who) => {
      const made = await makeDemand(tenants[who].client);
      const names = pointed.filter((name) => name !== 'payment_method');
      const answers = await Promise.all(
        names.map((name) => patch(tenants[who], made, {}, { [name]: targetOf(name) })),
      );
      expect(answers.map((answer) => [answer.status, errorsOf(answer)])).toEqual(
        names.map((name) => [404, [['relationship_not_found', `/data/relationships/${name}`]]]),
      );
    },
  );
});

describe('filters, sorts and includes', () => {
  it.each(strangers)('for the %s, find only what the own merchant has', async (who) => {
    const secret = `only-${who.replace(' ', '-')}@example.com`;
    const payer = await makeCustomer(api.client, { email: secret });
    await makeDemand(api.client, {}, { payer });
    const { client } = tenants[who];
    for (const path of [
      `/v2/customers?filter[email]=${secret}`,
      `/v2/payment_demands?filter[payer.email]=${secret}`,
      `/v2/payment_demands?filter[payer]=${payer.id}`,
      `/v2/merchants?filter[customers.email]=${secret}`,
      `/v2/customers?filter[merchant.customers.email]=${secret}`,
      `/v2/events?filter[resource_id]=${payer.id}`,
      `/v2/events?filter[merchant.customers.email]=${secret}`,
    ]) {
      const { status, body } = await client.get(path);
      expect([path, status, body.data]).toEqual([path, 200, []]);
    }
  });

  it.each(strangers)('for the %s, include only own records', async (who) => {
    const { client, records } = tenants[who];
    const merchant = records.get('merchants')!;
    for (const path of [
      `/v2/merchants/${merchant.id}?include=customers.addresses,payment_demands,payment_methods`,
      '/v2/customers?include=merchant.customers,merchant.payment_demands',
    ]) {
      const text = JSON.stringify((await client.get(path)).body);
      for (const [type, { id }] of tenants.own.records) {
        if (type !== 'merchants') expect(text, type).not.toContain(id);
      }
    }
  });

  it('count only own records', async () => {
    const other = await api.fixtures.makeMerchant();
    const client = api.as(await other.key());
    await makeParties(client);
    const { body } = await client.get('/v2/customers?page[total]=true');
    expect(body.meta.pagination).toEqual({ limit: 100, total: 1 });
  });
});

describe('a cursor', () => {
  it.each(strangers)('of the %s shows only own records', async (who) => {
    const { client } = tenants[who];
    await Promise.all([makeCustomer(client), makeCustomer(client)]);
    const { links } = (await client.get('/v2/customers?page[size]=1')).body;
    const { body } = await api.client.get(links.next!);
    const theirs = (await client.get('/v2/customers')).body.data.map(
      ({ id }: ResourceObject) => id,
    );
    for (const { id } of body.data ?? []) expect(theirs).not.toContain(id);
  });
});

describe('an idempotency key of another merchant or mode', () => {
  it.each(strangers)('of the %s is unknown to the own merchant', async (who) => {
    const send = (client: Client, description: string) =>
      client.send(
        'POST',
        '/v2/payment_demands',
        documentOf('payment_demands', {
          ...purchase,
          description,
          idempotency_key: `shared ${who}`,
        }),
      );
    const theirs = await send(tenants[who].client, 'theirs');
    const own = await send(api.client, 'own');
    expect([theirs.status, own.status]).toEqual([201, 201]);
    expect(own.body.data.id).not.toBe(theirs.body.data.id);
    expect(own.body.data.attributes.description).toBe('own');
  });
});
