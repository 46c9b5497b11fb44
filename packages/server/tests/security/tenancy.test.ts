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
  type Relations,
  type ResourceObject,
  UNKNOWN_ID,
} from '../support/client.ts';
import {
  makeAddress,
  makeCustomer,
  makeDemand,
  makeParties,
  makeSubscription,
  purchase,
  waitForOutcome,
} from '../support/make.ts';
import { makeOneOfEach } from '../support/makers.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';
import { simulateLive } from '../support/simulated-live.ts';

/** Deliveries to missing endpoints are not retried while the test compares records. */
const api = useOwnStack({ config: { webhook_retry_scale: 1_000 }, processors: simulateLive() });
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

/** The payment has no card: live mode has no test tokens. */
async function makeStranger(client: Client): Promise<Tenant> {
  const payer = await makeCustomer(client);
  const billing_address = await makeAddress(client);
  return readTenant(client, await makeDemand(client, {}, { payer, billing_address }));
}

async function readTenant(client: Client, demand: ResourceObject): Promise<Tenant> {
  const records = new Map<ResourceType, ResourceObject>();
  for (const type of types) {
    const [record] = (await client.get(`/v2/${type}?page[size]=1`)).body.data;
    if (record) records.set(type, record);
  }
  return { client, records, demand };
}

beforeAll(async () => {
  const otherMerchant = await api.fixtures.makeMerchant();
  const { id } = await makeOneOfEach(api.client, api.fixtures);
  tenants.own = await readTenant(api.client, await waitForOutcome(api.client, id));
  tenants['other merchant'] = await makeStranger(api.as(await otherMerchant.makeKey()));
  tenants['other mode'] = await makeStranger(api.live);
  expect([...tenants.own.records.keys()]).toEqual(types);
});

/** Platform rows are visible to everybody, except those visible through a membership. */
const scopedTypes = types.filter((type) => {
  const { owner, seen_through }: Resource = resources[type];
  return owner !== 'platform' || seen_through !== undefined;
});
const hiddenTypesOf = (stranger: (typeof strangers)[number]): readonly ResourceType[] =>
  stranger === 'other merchant' ? scopedTypes : modeTypes;
const cases = strangers.flatMap((stranger) =>
  hiddenTypesOf(stranger).map((type) => [stranger, type] as const),
);

const sharedCases = strangers.flatMap((stranger) =>
  types
    .filter((type) => !hiddenTypesOf(stranger).includes(type))
    .map((type) => [stranger, type] as const),
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
const requestsBy = (stranger: (typeof strangers)[number], type: ResourceType, id: string) => {
  const requests = requestsFor(type, id);
  return stranger === 'other merchant'
    ? requests
    : requests.filter(([, path]) => !path.includes('relationships'));
};

describe('for a record of another merchant or mode', () => {
  it.each(cases)(
    'for the %s, %s is unknown at its routes, and in no list',
    async (stranger, type) => {
      const { client } = tenants[stranger];
      const { id, attributes } = tenants.own.records.get(type)!;
      const requests = requestsBy(stranger, type, id);
      const path = `/v2/${type}/${id}`;
      const answers = await Promise.all(requests.map((request) => client.send(...request)));
      const [unknownAnswer, ownAnswer, filteredAnswer, listAnswer] = await Promise.all([
        client.get(`/v2/${type}/${UNKNOWN_ID}`),
        api.client.get(path),
        client.get(`/v2/${type}?filter[id]=${id}`),
        client.get(`/v2/${type}`),
      ]);
      expect(answers.map(({ status }, index) => [requests[index], status])).toEqual(
        requests.map((request) => [request, 404]),
      );
      const errorOf = ({ body }: Answer) => body.errors?.map((error) => ({ ...error, id: '' }));
      const answersWithBody = answers.filter(({ body }) => body !== undefined);
      expect(answersWithBody.map(errorOf)).toEqual(
        answersWithBody.map(() => errorOf(unknownAnswer)),
      );
      expect(ownAnswer.body.data.attributes.updated_at).toBe(attributes.updated_at);
      expect(filteredAnswer.body.data).toEqual([]);
      // A failed request appears in the caller's own request log.
      const visibleData =
        type === 'api_requests'
          ? listAnswer.body.data.map((record: { id: string }) => record.id)
          : listAnswer.body.data;
      expect(JSON.stringify(visibleData)).not.toContain(id);
    },
  );

  it.each(sharedCases)('for the %s, %s shows what both see', async (stranger, type) => {
    const { client } = tenants[stranger];
    const { id } = tenants.own.records.get(type)!;
    const readRequests = requestsFor(type, id).filter(([method]) => method === 'GET');
    const answers = await Promise.all(readRequests.map((request) => client.send(...request)));
    expect(answers.map(({ status }, index) => [readRequests[index], status])).toEqual(
      readRequests.map((request) => [request, 200]),
    );
  });

  it.each(strangers)(
    'for the %s, an address that a payment uses is not found, rather than in use',
    async (stranger) => {
      const usedAddress = tenants.own.demand.relationships.billing_address?.data as ResourceObject;
      const answer = await patch(tenants[stranger], usedAddress, { zip: '1' });
      expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
    },
  );
});

describe('a relationship to a record of another merchant or mode', () => {
  const relationNames = [
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
  const isCreated = (stranger: string, type: ResourceType): boolean =>
    resources[type].operations.some((operation) => operation === 'create') &&
    !(stranger === 'other mode' && type === 'payment_methods');
  const createCases = strangers.flatMap((stranger) =>
    types
      .filter((type) => isCreated(stranger, type))
      .filter((type) => stranger === 'other merchant' || /^(payment|refund)_demands$/.test(type))
      .flatMap((type) =>
        Object.entries<Relation>(resources[type].relations)
          .filter(([, { many, create }]) => !many && create)
          .filter(([, { to }]) => hiddenTypesOf(stranger).some((hidden) => hidden === to))
          .map(([name, { to }]) => [stranger, type, name, to as ResourceType] as const),
      ),
  );

  /** Required relations of a create, besides a card. */
  const requiredRelationsOf = async (type: ResourceType, client: Client): Promise<Relations> => {
    if (type === 'subscription_changes')
      return { payment_subscription: await makeSubscription(client) };
    if (type !== 'customer_merges') return {};
    return { source: await makeCustomer(client), target: await makeCustomer(client) };
  };

  const models = compileModels(resources);
  /** Attributes of a valid create: those of the document's example. */
  const attributesOf = (type: ResourceType): object => {
    const { data } = createExample(models.get(type)!) as { data: { attributes?: object } };
    return data.attributes ?? {};
  };

  it.each(createCases)(
    'for the %s, new %s with its %s are 404 with its pointer',
    async (...testCase) => {
      const [stranger, type, name, to] = testCase;
      const attributes = type === 'memberships' ? {} : attributesOf(type);
      const requiredRelations =
        name === 'payment_method' || type === 'customer_merges'
          ? await requiredRelationsOf(type, tenants[stranger].client)
          : {};
      const foreignRelation = { [name]: tenants.own.records.get(to)! };
      const document = documentOf(type, attributes, { ...requiredRelations, ...foreignRelation });
      const answer = await tenants[stranger].client.send('POST', `/v2/${type}`, document);
      expect([answer.status, errorsOf(answer)]).toEqual([
        404,
        [['relationship_not_found', `/data/relationships/${name}`]],
      ]);
    },
  );

  it.each(strangers)(
    'for the %s, in a payment that exists is 404 with its pointer',
    async (stranger) => {
      const payment = await makeDemand(tenants[stranger].client);
      const names = relationNames.filter((name) => name !== 'payment_method');
      const answers = await Promise.all(
        names.map((name) => patch(tenants[stranger], payment, {}, { [name]: targetOf(name) })),
      );
      expect(answers.map((answer) => [answer.status, errorsOf(answer)])).toEqual(
        names.map((name) => [404, [['relationship_not_found', `/data/relationships/${name}`]]]),
      );
    },
  );
});

describe('filters, sorts and includes', () => {
  it.each(strangers)('for the %s, find only what the own merchant has', async (stranger) => {
    const secret = `only-${stranger.replace(' ', '-')}@example.com`;
    const payer = await makeCustomer(api.client, { email: secret });
    await makeDemand(api.client, {}, { payer });
    const { client } = tenants[stranger];
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

  it.each(strangers)('for the %s, include only own records', async (stranger) => {
    const { client, records } = tenants[stranger];
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
    const otherMerchant = await api.fixtures.makeMerchant();
    const client = api.as(await otherMerchant.makeKey());
    await makeParties(client);
    const { body } = await client.get('/v2/customers?page[total]=true');
    expect(body.meta.pagination).toEqual({ limit: 100, total: 1 });
  });
});

describe('a cursor', () => {
  it.each(strangers)('of the %s shows only own records', async (stranger) => {
    const { client } = tenants[stranger];
    await Promise.all([makeCustomer(client), makeCustomer(client)]);
    const { links } = (await client.get('/v2/customers?page[size]=1')).body;
    const { body } = await api.client.get(links.next!);
    const strangerIds = (await client.get('/v2/customers')).body.data.map(
      ({ id }: ResourceObject) => id,
    );
    for (const { id } of body.data ?? []) expect(strangerIds).not.toContain(id);
  });
});

describe('an idempotency key of another merchant or mode', () => {
  it.each(strangers)('of the %s is unknown to the own merchant', async (stranger) => {
    const send = (client: Client, description: string) =>
      client.send(
        'POST',
        '/v2/payment_demands',
        documentOf('payment_demands', {
          ...purchase,
          description,
          idempotency_key: `shared ${stranger}`,
        }),
      );
    const strangerAnswer = await send(tenants[stranger].client, 'theirs');
    const ownAnswer = await send(api.client, 'own');
    expect([strangerAnswer.status, ownAnswer.status]).toEqual([201, 201]);
    expect(ownAnswer.body.data.id).not.toBe(strangerAnswer.body.data.id);
    expect(ownAnswer.body.data.attributes.description).toBe('own');
  });
});
