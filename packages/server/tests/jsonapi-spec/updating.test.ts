import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, NOBODY, type ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand, makeParties } from '../support/make.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();
let customer: ResourceObject;
beforeEach(async () => {
  customer = await makeCustomer(api.client, { description: 'before' });
});

describe('an update', () => {
  it('#136 of one attribute leaves the others', async () => {
    await patch(api, customer, { name: 'Changed' });
    const { attributes, relationships } = await api.client.fetch('customers', customer.id);
    const { updated_at } = attributes;
    expect(attributes).toEqual({ ...customer.attributes, name: 'Changed', updated_at });
    expect(relationships).toEqual(customer.relationships);
  });

  it('#137 moves updated_at, and answers 200 with all of the record', async () => {
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

  const refusal = async (data: object) => {
    const body = { data: { attributes: { name: 'Changed' }, ...data } };
    const answer = await api.client.send('PATCH', `/v2/customers/${customer.id}`, body);
    expect(await api.client.fetch('customers', customer.id)).toEqual(customer);
    return [answer.status, errorsOf(answer)];
  };

  it('#138 without a type or an id is 400', async () => {
    const missing = [400, [['invalid_document', '/data']]];
    expect(await refusal({ id: customer.id })).toEqual(missing);
    expect(await refusal({ type: 'customers' })).toEqual(missing);
  });

  it('#139 with the id of another, or another type, is 409', async () => {
    expect(await refusal({ type: 'customers', id: NOBODY })).toEqual([
      409,
      [['id_conflict', '/data/id']],
    ]);
    expect(await refusal({ type: 'events', id: customer.id })).toEqual([
      409,
      [['type_conflict', '/data/type']],
    ]);
  });

  it.each([NOBODY, 'no-uuid'])('#140 of a record that does not exist is 404: %s', async (id) => {
    const answer = await patch(api, { type: 'customers', id }, { name: 'x' });
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });

  it('#141 of a type that is not updated is 405, and of a field that is read-only 422', async () => {
    const [event] = (await api.client.get('/v2/events')).body.data;
    const answer = await patch(api, event, { slug: 'x' });
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
    const merchant = { data: { type: 'merchants', id: NOBODY } };
    expect(
      await refusal({
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

  it('#142 of a relationship leaves the others, null clears it, and no record is 404', async () => {
    const demand = await makeDemand(api.client, {}, { payer: customer });
    const set = await patch(api, demand, {}, { buyer: customer });
    expect(set.body.data.relationships.payer.data.id).toBe(customer.id);
    const cleared = await api.client.send('PATCH', `/v2/payment_demands/${demand.id}`, {
      data: { type: 'payment_demands', id: demand.id, relationships: { buyer: { data: null } } },
    });
    expect(cleared.body.data.relationships).toMatchObject({
      payer: { data: { type: 'customers', id: customer.id } },
      buyer: { data: null },
    });
    const lost = { payer: { type: 'customers', id: NOBODY } };
    const answer = await patch(api, demand, { description: 'x' }, lost);
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', '/data/relationships/payer']],
    ]);
    expect(await api.client.fetch('payment_demands', demand.id)).toEqual(cleared.body.data);
  });

  it('#143 with one bad attribute of two applies neither', async () => {
    const answer = await patch(api, customer, { name: 'Changed', email: 'nobody' });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid', '/data/attributes/email']],
    ]);
    expect(await api.client.fetch('customers', customer.id)).toEqual(customer);
  });

  it('of nothing is 200', async () => {
    const { status, body } = await patch(api, customer, {});
    expect([status, body.data.id]).toEqual([200, customer.id]);
  });

  it('of the same attribute by many at once ends with one of their values', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `Name ${number}`);
    const answers = await Promise.all(names.map((name) => patch(api, customer, { name })));
    expect(answers.map(({ body }) => body.data.attributes.name)).toEqual(names);
    const { attributes } = await api.client.fetch('customers', customer.id);
    const newest = answers
      .map(({ body }) => body.data.attributes)
      .toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0];
    expect(attributes).toEqual(newest);
  });

  it('of different attributes by two at once keeps both', async () => {
    await Promise.all([
      patch(api, customer, { name: 'N' }),
      patch(api, customer, { description: 'D' }),
    ]);
    const { attributes } = await api.client.fetch('customers', customer.id);
    expect([attributes.name, attributes.description]).toEqual(['N', 'D']);
  });
});

describe('an action', () => {
  it.each<[what: string, data: (id: string) => unknown, status: number]>([
    ['nothing', () => undefined, 422],
    ['an empty document of the record', (id) => ({ data: { type: 'payment_demands', id } }), 422],
    [
      'attributes, which it ignores',
      (id) => documentOf('payment_demands', { nonsense: 1 }, {}, id),
      422,
    ],
    ['another id', () => ({ data: { type: 'payment_demands', id: NOBODY } }), 409],
    ['another type', (id) => ({ data: { type: 'customers', id } }), 409],
    ['a document without data', () => ({}), 400],
    ['no JSON', () => '{', 400],
  ])('with a body of %s is %j', async (_what, data, status) => {
    const { id } = await makeDemand(api.client);
    const answer = await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`, data(id));
    expect(answer.status).toBe(status);
    if (status === 422) expect(errorsOf(answer)[0]).toEqual(['blank', '/data/relationships/payer']);
  });

  it('#144 in a state that forbids it is 405, and says what is possible', async () => {
    const demand = await makeDemand(api.client, { confirmed: true }, await makeParties(api.client));
    const answer = await api.client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['invalid_state', undefined]]]);
    expect(answer.body.errors?.[0]?.meta).toHaveProperty('allowed_actions');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('of a record that does not exist is 404', async () => {
    const answer = await api.client.send('PATCH', `/v2/payment_demands/${NOBODY}/confirm`);
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['not_found', undefined]]]);
  });
});
