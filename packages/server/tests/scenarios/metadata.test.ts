import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { metadataLimits } from '@florin/contract/resources/metadata.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeCustomer,
  makeDemand,
  makeRefund,
  purchase,
} from '../support/make.ts';

const api = useApi();
const METADATA = { order: 'A-17', 'cost-centre': '', quote: 'She said “yes”\n' };

const refusalsOf = ({ status, body }: Answer) => [
  status,
  body.errors?.map(({ code, source }) => [code, source?.pointer]),
];

const createPayment = (metadata: unknown): Promise<Answer> =>
  api.client.send(
    'POST',
    '/v2/payment_demands',
    documentOf('payment_demands', { ...purchase, metadata }),
  );

describe('metadata', () => {
  it('is stored with payments, refunds, captures and customers', async () => {
    const payment = await makeCapturedPayment(api.client, { metadata: METADATA });
    const refund = await makeRefund(api.client, payment, { amount_cents: 10, metadata: METADATA });
    const hold = await makeAuthorisedPayment(api.client);
    const capture = await makeCapture(api.client, hold, { metadata: METADATA });
    const customer = await makeCustomer(api.client, { metadata: METADATA });
    for (const { type, id, attributes } of [payment, refund, capture, customer]) {
      expect([type, attributes.metadata]).toEqual([type, METADATA]);
      expect((await api.client.fetch(type, id)).attributes.metadata).toEqual(METADATA);
    }
  });

  it('is part of events', async () => {
    const { id } = await makeCapturedPayment(api.client, { metadata: METADATA });
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}`);
    expect(body.data.length).toBe(2);
    for (const { attributes } of body.data) {
      expect(attributes.data.attributes.metadata).toEqual(METADATA);
    }
  });

  it('is replaced as a whole, or cleared', async () => {
    const payment = await makeDemand(api.client, { metadata: METADATA });
    const update = async (metadata: unknown) => {
      const document = documentOf('payment_demands', { metadata }, {}, payment.id);
      const { body } = await api.client.send(
        'PATCH',
        `/v2/payment_demands/${payment.id}`,
        document,
      );
      return body.data.attributes.metadata;
    };
    expect(await update({ colour: 'red' })).toEqual({ colour: 'red' });
    expect(await update({})).toEqual({});
    expect(await update(null)).toBeNull();
  });

  const { members_max, name_max, value_max } = metadataLimits;
  const makeMetadata = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`member-${at}`, 'x']));
  const longestMetadata = { ['n'.repeat(name_max)]: '💳'.repeat(value_max) };

  it('may use its documented number and length', async () => {
    for (const metadata of [makeMetadata(members_max), longestMetadata]) {
      const { status, body } = await createPayment(metadata);
      expect([status, body.data?.attributes.metadata]).toEqual([201, metadata]);
    }
  });

  it('is refused with the name of the member and the reason', async () => {
    const { body } = await createPayment({ order: 'a\u0000b' });
    expect(body.errors?.[0]?.detail).toBe(
      'Member order must not contain NUL (U+0000) or half of a surrogate pair.',
    );
  });

  const POINTER = '/data/attributes/metadata';
  it.each<[string, unknown, string, string]>([
    ['a text', 'order', 'invalid', POINTER],
    ['a list', ['order'], 'invalid', POINTER],
    ['too many', makeMetadata(members_max + 1), 'too_long', POINTER],
    ['a number', { order: 17 }, 'invalid', `${POINTER}/order`],
    ['an object in them', { order: {} }, 'invalid', `${POINTER}/order`],
    ['a long value', { order: 'x'.repeat(value_max + 1) }, 'too_long', `${POINTER}/order`],
    ['a character nobody can store', { order: '\u0000' }, 'invalid', `${POINTER}/order`],
    ['an empty name', { '': 'x' }, 'invalid', POINTER],
    ['a name with a dot', { 'a.b': 'x' }, 'invalid', `${POINTER}/a.b`],
    ['a name that ends in a dash', { 'a-': 'x' }, 'invalid', `${POINTER}/a-`],
    ['a name of prototypes', JSON.parse('{"__proto__":"x"}'), 'invalid', `${POINTER}/__proto__`],
    [
      'a long name',
      { ['n'.repeat(name_max + 1)]: 'x' },
      'invalid',
      `${POINTER}/${'n'.repeat(name_max + 1)}`,
    ],
  ])('are refused if they are %s', async (_, metadata, code, pointer) => {
    expect(refusalsOf(await createPayment(metadata))).toEqual([422, [[code, pointer]]]);
  });

  it('may not contain card numbers', async () => {
    const number = sandboxCards[0]?.number;
    expect(refusalsOf(await createPayment({ note: `card ${number}` }))).toEqual([
      422,
      [['raw_card_data_forbidden', `${POINTER}/note`]],
    ]);
  });

  it('can be neither filtered nor sorted by', async () => {
    const { status } = await api.client.get('/v2/payment_demands?filter[metadata]=x');
    expect(status).toBe(400);
  });
});
