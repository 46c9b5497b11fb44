import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, UNKNOWN_ID } from '../support/client.ts';
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
  ])('of the kind %s stores %s as %s', async (kind, input, storedValue) => {
    const { attributes } = await makeListEntry(api.client, { kind, value: input });
    expect(attributes).toMatchObject({ list: 'allow', kind, value: storedValue, removed_at: null });
  });

  it('of a card names a payment method, and shows no card data', async () => {
    const payment_method = await makeMethod(api.client);
    const cardEntry = { list: 'block', kind: 'card', value: null };
    const { attributes, relationships } = await makeListEntry(api.client, cardEntry, {
      payment_method,
    });
    expect(attributes).toMatchObject(cardEntry);
    expect(relationships.payment_method).toMatchObject({ data: { id: payment_method.id } });
  });

  it('is on its list once, however it is written, until it is removed', async () => {
    const makeEmailEntry = (list: string, value: string) =>
      api.client.send('POST', `/v2/${type}`, documentOf(type, { list, kind: 'email', value }));
    const firstAnswer = await makeEmailEntry('block', 'eve@example.com');
    const secondAnswer = await makeEmailEntry('block', 'EVE@example.com');
    expect([secondAnswer.status, errorsOf(secondAnswer)]).toEqual([
      422,
      [['already_listed', '/data/attributes/value']],
    ]);
    const { id } = firstAnswer.body.data;
    expect(secondAnswer.body.errors?.[0]?.meta).toEqual({ risk_list_entry: id });
    await api.client.send('PATCH', `/v2/${type}/${id}/remove`);
    const laterAnswers = [
      await makeEmailEntry('block', 'eve@example.com'),
      await makeEmailEntry('allow', 'eve@example.com'),
    ];
    expect(laterAnswers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is removed once, and stays readable', async () => {
    const { id } = await make();
    const remove = () => api.client.send('PATCH', `/v2/${type}/${id}/remove`);
    const [firstAnswer, secondAnswer] = [await remove(), await remove()];
    expect([firstAnswer.status, secondAnswer.status]).toEqual([200, 200]);
    const { removed_at } = firstAnswer.body.data.attributes;
    expect(removed_at).not.toBeNull();
    expect((await api.client.fetch(type, id)).attributes.removed_at).toBe(removed_at);
    expect(secondAnswer.body.data.attributes.removed_at).toBe(removed_at);
  });

  describeRefusals(
    api,
    { type, validAttributes: { list: 'block', kind: 'bin', value: '400551' }, make },
    [
      ['no list', { list: undefined }, 'blank'],
      ['another list', { list: 'grey' }, 'not_in_list'],
      ['another kind', { kind: 'ip' }, 'not_in_list'],
      ['no value', { value: undefined }, 'blank'],
      ['a BIN of five digits', { value: '40055' }, 'invalid'],
      ['a BIN of letters', { value: 'visa12' }, 'invalid'],
      ['an e-mail address without a domain', { kind: 'email', value: 'ada' }, 'invalid', 'value'],
      [
        'a domain that is an address',
        { kind: 'email_domain', value: 'a@b.com' },
        'invalid',
        'value',
      ],
      ['a country that does not exist', { kind: 'country', value: 'XYZ' }, 'invalid', 'value'],
      ['a card by a value', { kind: 'card' }, 'invalid', 'value'],
      ['a time of removal', { removed_at: '2026-01-01T00:00:00Z' }, 'read_only'],
    ],
  );

  it.each([
    ['a card of no payment method', { kind: 'card', value: undefined }, 'none', 422, 'blank'],
    [
      'a card of an unknown payment method',
      { kind: 'card' },
      'unknown',
      404,
      'relationship_not_found',
    ],
    ['a BIN of an unknown payment method', {}, 'unknown', 404, 'relationship_not_found'],
    ['a BIN of a payment method', {}, 'known', 422, 'invalid'],
  ] as const)('%s is refused', async (_title, attributes, method, status, code) => {
    const unknownMethod = { type: 'payment_methods', id: UNKNOWN_ID };
    const payment_method = method === 'unknown' ? unknownMethod : await makeMethod(api.client);
    const requestAttributes = { list: 'block', kind: 'bin', value: '400551', ...attributes };
    const body = documentOf(type, requestAttributes, method === 'none' ? {} : { payment_method });
    const answer = await api.client.send('POST', `/v2/${type}`, body);
    const pointer = '/data/relationships/payment_method';
    expect([answer.status, errorsOf(answer)]).toEqual([status, [[code, pointer]]]);
  });
});
