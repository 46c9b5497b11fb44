import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import {
  address,
  makeActiveSubscription,
  makeCustomer,
  makeDemand,
  makeParties,
} from '../support/make.ts';
import { makerOf } from '../support/makers.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
beforeEach(async () => {
  customer = await makeCustomer(api.client, { description: 'before' });
});

describe('an update', () => {
  it('#136 of one attribute keeps the others', async () => {
    await patch(api, customer, { name: 'Changed' });
    const { attributes, relationships } = await api.client.fetch('customers', customer.id);
    const { updated_at } = attributes;
    expect(attributes).toEqual({ ...customer.attributes, name: 'Changed', updated_at });
    expect(relationships).toEqual(customer.relationships);
  });

  it('#137 moves updated_at, and answers 200 with the full record', async () => {
    const { status, body } = await patch(api, customer, { name: 'Changed' });
    const { updated_at } = body.data.attributes;
    expect([status, updated_at > customer.attributes.updated_at]).toEqual([200, true]);
    expect(body.data).toEqual(await api.client.fetch('customers', customer.id));
  });

  it('by PUT is the same', async () => {
    const document = documentOf('customers', { name: 'Put' }, {}, customer.id);
    const { status, body } = await api.client.send('PUT', `/v2/customers/${customer.id}`, document);
    expect([status, body.data.attributes.name, body.data.attributes.description]).toEqual([
      200,
      'Put',
      'before',
    ]);
  });

  const sendInvalidUpdate = async (data: object) => {
    const body = { data: { attributes: { name: 'Changed' }, ...data } };
    const answer = await api.client.send('PATCH', `/v2/customers/${customer.id}`, body);
    expect(await api.client.fetch('customers', customer.id)).toEqual(customer);
    return [answer.status, errorsOf(answer)];
  };

  it('#138 without a type or an id is 400', async () => {
    const expectedError = [400, [['invalid_document', '/data']]];
    expect(await sendInvalidUpdate({ id: customer.id })).toEqual(expectedError);
    expect(await sendInvalidUpdate({ type: 'customers' })).toEqual(expectedError);
  });

  it('#139 with another id or type is 409', async () => {
    expect(await sendInvalidUpdate({ type: 'customers', id: UNKNOWN_ID })).toEqual([
      409,
      [['id_conflict', '/data/id']],
    ]);
    expect(await sendInvalidUpdate({ type: 'events', id: customer.id })).toEqual([
      409,
      [['type_conflict', '/data/type']],
    ]);
  });

  it.each([UNKNOWN_ID, 'no-uuid'])('#140 of an unknown record is 404: %s', async (id) => {
    const answer = await patch(api, { type: 'customers', id }, { name: 'x' });
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });

  it('#141 of an immutable type is 405, and of a read-only field 422', async () => {
    const [event] = (await api.client.get('/v2/events')).body.data;
    const answer = await patch(api, event, { slug: 'x' });
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
    const merchant = { data: { type: 'merchants', id: UNKNOWN_ID } };
    expect(
      await sendInvalidUpdate({
        type: 'customers',
        id: customer.id,
        attributes: { created_at: 'x' },
        relationships: { merchant },
      }),
    ).toEqual([
      422,
      [
        ['read_only', '/data/attributes/created_at'],
        ['read_only', '/data/relationships/merchant'],
      ],
    ]);
  });

  it('#142 of a relationship keeps the others, null clears it, and an unknown record is 404', async () => {
    const demand = await makeDemand(api.client, {}, { payer: customer });
    const setAnswer = await patch(api, demand, {}, { buyer: customer });
    expect(setAnswer.body.data.relationships.payer.data.id).toBe(customer.id);
    const clearedAnswer = await api.client.send('PATCH', `/v2/payment_demands/${demand.id}`, {
      data: { type: 'payment_demands', id: demand.id, relationships: { buyer: { data: null } } },
    });
    expect(clearedAnswer.body.data.relationships).toMatchObject({
      payer: { data: { type: 'customers', id: customer.id } },
      buyer: { data: null },
    });
    const unknownPayer = { payer: { type: 'customers', id: UNKNOWN_ID } };
    const answer = await patch(api, demand, { description: 'x' }, unknownPayer);
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', '/data/relationships/payer']],
    ]);
    expect(await api.client.fetch('payment_demands', demand.id)).toEqual(clearedAnswer.body.data);
  });

  it('#143 with one bad attribute of two applies neither', async () => {
    const answer = await patch(api, customer, { name: 'Changed', email: 'nobody' });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/email']],
    ]);
    expect(await api.client.fetch('customers', customer.id)).toEqual(customer);
  });

  it('without attributes is 200', async () => {
    const { status, body } = await patch(api, customer, {});
    expect([status, body.data.id]).toEqual([200, customer.id]);
  });

  it('of one attribute by concurrent requests ends with one of their values', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `Name ${number}`);
    const answers = await Promise.all(names.map((name) => patch(api, customer, { name })));
    expect(answers.map(({ body }) => body.data.attributes.name)).toEqual(names);
    const { attributes } = await api.client.fetch('customers', customer.id);
    const newest = answers
      .map(({ body }) => body.data.attributes)
      .toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0];
    expect(attributes).toEqual(newest);
  });

  it('of different attributes by two concurrent requests applies both', async () => {
    await Promise.all([
      patch(api, customer, { name: 'N' }),
      patch(api, customer, { description: 'D' }),
    ]);
    const { attributes } = await api.client.fetch('customers', customer.id);
    expect([attributes.name, attributes.description]).toEqual(['N', 'D']);
  });
});

const updatableTypes = Object.values(resources as Readonly<Record<string, Resource>>).filter(
  ({ operations }) => operations.includes('update'),
);

/** Types with attributes that an update can change. */
const editableTypes = updatableTypes.filter(({ fields }) =>
  Object.values(fields).some(({ update }) => update),
);

const recordsByType = new Map<ResourceType, Promise<ResourceObject>>();

async function makeRecord(type: ResourceType): Promise<ResourceObject> {
  const { makeDraft, makeRecord } = makerOf(type);
  if (makeRecord) return makeRecord(api.client, api.fixtures);
  const { attributes, relations } = await makeDraft!(api.client);
  return api.client.make(type, attributes, relations);
}

/** A record of an updatable type, as fetched from its own address. Each type's tests share one. */
async function recordOf(type: ResourceType): Promise<ResourceObject> {
  const record = recordsByType.get(type) ?? makeRecord(type);
  recordsByType.set(type, record);
  return api.client.fetch(type, (await record).id);
}

/** Saves a whole record as some clients do, with links, meta and read-only members. */
const save = (record: ResourceObject) =>
  api.client.send('PATCH', `/v2/${record.type}/${record.id}`, { data: record });

const countEvents = async ({ id }: ResourceObject): Promise<number> =>
  (await api.client.get(`/v2/events?filter[resource_id]=${id}`)).body.data.length;

/** A different value, of the same kind if possible. */
function differentFrom(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 'x'];
  return typeof value === 'object' && value !== null ? { ...value, x: 1 } : `${value ?? ''}x`;
}

describe('a fetched record that is sent back', () => {
  it.each(updatableTypes)('unchanged has no effect and emits no event: $type', async (resource) => {
    const record = await recordOf(resource.type as ResourceType);
    const eventCount = await countEvents(record);
    const answer = await save(record);
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    expect(answer.body.data).toEqual(record);
    expect(await api.client.fetch(record.type, record.id)).toEqual(record);
    expect(await countEvents(record)).toBe(eventCount);
  });

  it.each(editableTypes)('with one changed attribute changes only it: $type', async (resource) => {
    const record = await recordOf(resource.type as ResourceType);
    const attributes = { ...record.attributes, ...makerOf(resource.type as ResourceType).change };
    const { status, body } = await save({ ...record, attributes });
    const { updated_at } = body.data.attributes;
    expect([status, body.data.attributes]).toEqual([200, { ...attributes, updated_at }]);
    expect(updated_at > record.attributes.updated_at).toBe(true);
  });

  it.each(updatableTypes)('with changed read-only values is 422: $type', async (resource) => {
    const { type, fields, relations } = resource;
    const record = await recordOf(type as ResourceType);
    const readOnlyAttributes = Object.keys(record.attributes).filter(
      (name) => !fields[name]?.update,
    );
    const unknownTarget = (name: string) => ({ type: relations[name]?.to, id: UNKNOWN_ID });
    const readOnlyRelationships = Object.keys(record.relationships).filter(
      (name) => !relations[name]?.update,
    );
    const attributes = readOnlyAttributes.map((name) => [
      name,
      differentFrom(record.attributes[name]),
    ]);
    const relationships = readOnlyRelationships.map((name) => [
      name,
      { data: relations[name]?.many ? [unknownTarget(name)] : unknownTarget(name) },
    ]);
    const answer = await save({
      ...record,
      attributes: Object.fromEntries(attributes),
      relationships: Object.fromEntries(relationships),
    });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [
        ...readOnlyAttributes.map((name) => ['read_only', `/data/attributes/${name}`]),
        ...readOnlyRelationships.map((name) => ['read_only', `/data/relationships/${name}`]),
      ],
    ]);
    expect(await api.client.fetch(type, record.id)).toEqual(record);
  });

  it('may contain its links, meta and relationships without data', async () => {
    const { links, relationships } = customer;
    const { merchant: _named, merged_into: _survivor, ...relationshipsWithoutData } = relationships;
    const attributes = { ...customer.attributes, name: 'Flat', links, ...relationshipsWithoutData };
    expect((await save({ ...customer, attributes })).body.data.attributes.name).toBe('Flat');
    expect(errorsOf(await patch(api, customer, { links: { self: '/x' } }))).toEqual([
      ['read_only', '/data/attributes/links'],
    ]);
    expect(errorsOf(await patch(api, customer, { addresses: { data: [] } }))).toEqual([
      ['unknown_attribute', '/data/attributes/addresses'],
    ]);
  });

  it('may list its to-many records in any order, and no others', async () => {
    for (const index of [1, 2, 3]) {
      await api.client.make('consumer_addresses', { ...address, line_1: `${index}` }, { customer });
    }
    const path = `/v2/customers/${customer.id}?include=addresses,merchant`;
    const { data } = (await api.client.get(path)).body;
    const linkage = data.relationships.addresses.data as object[];
    expect(linkage).toHaveLength(3);
    const withAddresses = (identifiers: readonly object[]) => ({
      ...data,
      relationships: { ...data.relationships, addresses: { data: identifiers } },
    });
    expect((await save(withAddresses(linkage.toReversed()))).body.data.id).toBe(customer.id);
    for (const wrongIdentifiers of [linkage.slice(1), [...linkage, linkage[0]!], []]) {
      expect(errorsOf(await save(withAddresses(wrongIdentifiers)))).toEqual([
        ['read_only', '/data/relationships/addresses'],
      ]);
    }
  });

  it('may have its times with fewer decimals and in another zone, but no other times', async () => {
    const { created_at, updated_at } = customer.attributes;
    const berlinTime = new Date(Date.parse(created_at) + 3_600_000).toISOString().slice(0, 23);
    const attributes = {
      name: 'Changed',
      created_at: `${berlinTime}+01:00`,
      updated_at: new Date(updated_at).toISOString(),
    };
    expect((await patch(api, customer, attributes)).body.data.attributes.name).toBe('Changed');
    const laterTime = new Date(Date.parse(created_at) + 1000).toISOString();
    expect(errorsOf(await patch(api, customer, { created_at: laterTime }))).toEqual([
      ['read_only', '/data/attributes/created_at'],
    ]);
  });

  it('names line items by their ids, and accepts no other ids', async () => {
    const item = { name: 'Rose', quantity: 1, amount_cents: 100, amount_currency: 'USD' };
    const demand = await makeDemand(api.client, { line_items: [item, item] });
    const [firstItem, secondItem] = demand.attributes.line_items;
    const updateAnswer = await patch(api, demand, {
      line_items: [{ ...secondItem, quantity: 2 }, firstItem, item],
    });
    const { line_items } = updateAnswer.body.data.attributes;
    expect(line_items.slice(0, 2)).toEqual([{ ...secondItem, quantity: 2 }, firstItem]);
    expect([firstItem.id, secondItem.id]).not.toContain(line_items[2].id);
    for (const line_items of [[{ ...item, id: UNKNOWN_ID }], [firstItem, firstItem]]) {
      const index = line_items.length - 1;
      expect(errorsOf(await patch(api, demand, { line_items }))).toEqual([
        ['read_only', `/data/attributes/line_items/${index}/id`],
      ]);
    }
  });

  it('may be a key as shown at its creation', async () => {
    const key = await api.client.make('merchant_tokens', { name: 'Shop', context: 'secret' });
    const attributes = { ...key.attributes, name: 'Renamed' };
    const { body } = await save({ ...key, attributes });
    expect(body.data.attributes).toMatchObject({ name: 'Renamed', token: null });
    const { updated_at } = body.data.attributes;
    const changedAttributes = { ...attributes, updated_at, token: 'ept_x' };
    expect(errorsOf(await save({ ...key, attributes: changedAttributes }))).toEqual([
      ['read_only', '/data/attributes/token'],
    ]);
  });

  it('by two concurrent requests is accepted from one of them', async () => {
    const pendingAnswers = ['One', 'Other'].map((name) =>
      save({ ...customer, attributes: { ...customer.attributes, name } }),
    );
    const answers = await Promise.all(pendingAnswers);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(answers.flatMap(errorsOf)).toEqual([['read_only', '/data/attributes/updated_at']]);
  });

  it('of an active subscription may change its changeable attributes', async () => {
    const { id } = await makeActiveSubscription(api.client);
    const record = await api.client.fetch('payment_subscriptions', id);
    const attributes = { ...record.attributes, description: 'Roses' };
    const { status, body } = await save({ ...record, attributes });
    expect([status, body.data?.attributes.description]).toEqual([200, 'Roses']);
    const slugChange = { ...body.data.attributes, slug: 'another' };
    const refusal = await save({ ...record, attributes: slugChange });
    expect([refusal.status, errorsOf(refusal)]).toEqual([405, [['invalid_state', undefined]]]);
  });

  it('of an address that a payment uses is accepted unchanged', async () => {
    const { billing_address } = await makeParties(api.client);
    await makeDemand(api.client, {}, { billing_address: billing_address! });
    const record = await api.client.fetch('consumer_addresses', billing_address!.id);
    expect((await save(record)).status).toBe(200);
    const attributes = { ...record.attributes, line_2: 'Room 5' };
    expect(errorsOf(await save({ ...record, attributes }))).toEqual([['immutable', '/data']]);
  });

  it('again with the same idempotency key is answered as before, and other content is a conflict', async () => {
    const attributes = { ...customer.attributes, name: 'Once' };
    const send = (newAttributes: object) =>
      api.client.send(
        'PATCH',
        `/v2/customers/${customer.id}`,
        { data: { ...customer, attributes: newAttributes } },
        { 'idempotency-key': customer.id },
      );
    const answers = [await send(attributes), await send(attributes)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const conflictAnswer = await send({ ...attributes, created_at: '2026-01-01T00:00:00Z' });
    expect(errorsOf(conflictAnswer)).toEqual([['idempotency_conflict', 'Idempotency-Key']]);
  });
});

describe('an action', () => {
  it.each<[title: string, data: (id: string) => unknown, status: number]>([
    ['nothing', () => undefined, 422],
    ['an empty document of the record', (id) => ({ data: { type: 'payment_demands', id } }), 422],
    [
      'attributes, which it ignores',
      (id) => documentOf('payment_demands', { nonsense: 1 }, {}, id),
      422,
    ],
    ['another id', () => ({ data: { type: 'payment_demands', id: UNKNOWN_ID } }), 409],
    ['another type', (id) => ({ data: { type: 'customers', id } }), 409],
    ['a document without data', () => ({}), 400],
    ['no JSON', () => '{', 400],
  ])('with a body of %s is %j', async (_title, data, status) => {
    const { id } = await makeDemand(api.client);
    const answer = await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`, data(id));
    expect(answer.status).toBe(status);
    if (status === 422) expect(errorsOf(answer)[0]).toEqual(['blank', '/data/relationships/payer']);
  });

  it('#144 in a state that forbids it is 405, and lists the allowed actions', async () => {
    const demand = await makeDemand(api.client, { confirmed: true }, await makeParties(api.client));
    const answer = await api.client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
    expect(answer.body.errors?.[0]?.meta).toHaveProperty('allowed_actions');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('of an unknown record is 404', async () => {
    const answer = await api.client.send('PATCH', `/v2/payment_demands/${UNKNOWN_ID}/confirm`);
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });
});
