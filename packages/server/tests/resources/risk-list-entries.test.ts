import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, NOBODY } from '../support/client.ts';
import { makeListEntry, makeMethod } from '../support/make.ts';
import {
  describeReads,
  describeRefusals,
  describeRefusedMethods,
  errorsOf,
} from '../support/resource-suite.ts';

const api = useApi();
const type = 'risk_list_entries';
const make = () => makeListEntry(api.client);

describe('an entry of a list', () => {
  describeReads(api, type, make, ['payment_method']);
  describeRefusedMethods(api, type);

  it.each([
    ['email', 'Mallory@Example.com', 'Mallory@Example.com'],
    ['email_domain', 'example.com', 'example.com'],
    ['bin', '400551', '400551'],
    ['country', 'US', 'USA'],
  ])('of the kind %s stores %s as %s', async (kind, given, kept) => {
    const { attributes } = await makeListEntry(api.client, { kind, value: given });
    expect(attributes).toMatchObject({ list: 'allow', kind, value: kept, removed_at: null });
  });

  it('of a card names a payment method, and shows no card data', async () => {
    const payment_method = await makeMethod(api.client);
    const card = { list: 'block', kind: 'card', value: null };
    const { attributes, relationships } = await makeListEntry(api.client, card, { payment_method });
    expect(attributes).toMatchObject(card);
    expect(relationships.payment_method).toMatchObject({ data: { id: payment_method.id } });
  });

  it('is on its list once, however it is written, until it is removed', async () => {
    const makeEmailEntry = (list: string, value: string) =>
      api.client.send('POST', `/v2/${type}`, documentOf(type, { list, kind: 'email', value }));
    const first = await makeEmailEntry('block', 'eve@example.com');
    const second = await makeEmailEntry('block', 'EVE@example.com');
    expect([second.status, errorsOf(second)]).toEqual([
      422,
      [['already_listed', '/data/attributes/value']],
    ]);
    const { id } = first.body.data;
    expect(second.body.errors?.[0]?.meta).toEqual({ risk_list_entry: id });
    await api.client.send('PATCH', `/v2/${type}/${id}/remove`);
    const later = [
      await makeEmailEntry('block', 'eve@example.com'),
      await makeEmailEntry('allow', 'eve@example.com'),
    ];
    expect(later.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is removed once, and stays readable', async () => {
    const { id } = await make();
    const remove = () => api.client.send('PATCH', `/v2/${type}/${id}/remove`);
    const [first, second] = [await remove(), await remove()];
    expect([first.status, second.status]).toEqual([200, 200]);
    const { removed_at } = first.body.data.attributes;
    expect(removed_at).not.toBeNull();
    expect((await api.client.fetch(type, id)).attributes.removed_at).toBe(removed_at);
    expect(second.body.data.attributes.removed_at).toBe(removed_at);
  });

  describeRefusals(api, { type, valid: { list: 'block', kind: 'bin', value: '400551' }, make }, [
    ['no list', { list: undefined }, 'blank'],
    ['another list', { list: 'grey' }, 'not_in_list'],
    ['another kind', { kind: 'ip' }, 'not_in_list'],
    ['no value', { value: undefined }, 'blank'],
    ['a BIN of five digits', { value: '40055' }, 'invalid'],
    ['a BIN of letters', { value: 'visa12' }, 'invalid'],
    ['an e-mail address without a domain', { kind: 'email', value: 'ada' }, 'invalid', 'value'],
    ['a domain that is an address', { kind: 'email_domain', value: 'a@b.com' }, 'invalid', 'value'],
    ['a country that there is not', { kind: 'country', value: 'XYZ' }, 'invalid', 'value'],
    ['a card by a value', { kind: 'card' }, 'invalid', 'value'],
    ['a time of removal', { removed_at: '2026-01-01T00:00:00Z' }, 'read_only'],
  ]);

  it.each([
    ['a card of no payment method', { kind: 'card', value: undefined }, 'none', 422, 'blank'],
    ['a card of one that is not there', { kind: 'card' }, 'lost', 404, 'relationship_not_found'],
    ['a BIN of one that is not there', {}, 'lost', 404, 'relationship_not_found'],
    ['a BIN of a payment method', {}, 'there', 422, 'invalid'],
  ] as const)('%s is refused', async (_what, attributes, method, status, code) => {
    const lost = { type: 'payment_methods', id: NOBODY };
    const payment_method = method === 'lost' ? lost : await makeMethod(api.client);
    const valid = { list: 'block', kind: 'bin', value: '400551', ...attributes };
    const body = documentOf(type, valid, method === 'none' ? {} : { payment_method });
    const answer = await api.client.send('POST', `/v2/${type}`, body);
    const pointer = '/data/relationships/payment_method';
    expect([answer.status, errorsOf(answer)]).toEqual([status, [[code, pointer]]]);
  });
});
