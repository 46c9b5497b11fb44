import type { ResourceType } from '@florin/contract/resources/index.ts';
import { AMOUNT_MAX } from '@florin/contract/risk/amounts.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type Client, documentOf, type Relations } from '../support/client.ts';
import {
  makeDemand,
  makeHeld,
  makePaid,
  makeSubscription,
  purchase,
  recurring,
} from '../support/make.ts';
import { countOf, errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();

/** A place of a document that holds an amount, of which a request makes no record if it is wrong. */
interface Place {
  readonly type: ResourceType;
  readonly pointer: string;
  readonly attributes: (amount: unknown) => object;
  readonly relations?: () => Relations;
  /** The least that is taken. */
  readonly min: number;
}

const relations: Record<'paid' | 'held', Relations> = { paid: {}, held: {} };
beforeAll(async () => {
  relations.paid = { payment_demand: await makePaid(api.client) };
  relations.held = { payment_demand: await makeHeld(api.client) };
});

const line = { name: 'Rose', quantity: 1, amount_cents: 2500, amount_currency: 'USD' };
const places: Readonly<Record<string, Place>> = {
  'a payment': {
    type: 'payment_demands',
    pointer: 'amount_cents',
    attributes: (amount_cents) => ({ ...purchase, amount_cents }),
    min: 10,
  },
  'a line item': {
    type: 'payment_demands',
    pointer: 'line_items/0/amount_cents',
    attributes: (amount_cents) => ({ ...purchase, line_items: [{ ...line, amount_cents }] }),
    min: 0,
  },
  'a subscription': {
    type: 'payment_subscriptions',
    pointer: 'amount_cents',
    attributes: (amount_cents) => ({ ...recurring, amount_cents }),
    min: 10,
  },
  'a refund': {
    type: 'refund_demands',
    pointer: 'amount_cents',
    attributes: (amount_cents) => ({ reason: 'duplicate_charge', amount_cents }),
    relations: () => relations.paid,
    min: 1,
  },
  'a capture': {
    type: 'capture_demands',
    pointer: 'amount_cents',
    attributes: (amount_cents) => ({ amount_cents }),
    relations: () => relations.held,
    min: 1,
  },
};

/** JSON as it is sent: numbers that JavaScript cannot hold are there as well. */
const post = (type: ResourceType, attributes: object, related: Relations = {}, number?: string) => {
  const body = JSON.stringify(documentOf(type, attributes, related));
  return api.client.send(
    'POST',
    `/v2/${type}`,
    number === undefined ? body : body.replace('"NUMBER"', number),
  );
};

const wrong: readonly (readonly [what: string, number: string])[] = [
  ['a negative one', '-1'],
  ['a fraction of a minor unit', '1000.5'],
  ['major units with a point', '"10.00"'],
  ['text', '"1000"'],
  ['more than a float can count', '9007199254740993'],
  ['more than 64 bits', '9223372036854775808'],
  ['more than 128 bits', `1${'0'.repeat(40)}`],
  ['infinity', '1e400'],
  ['true', 'true'],
  ['an array', '[1000]'],
  ['an object', '{"value":1000}'],
];

describe.each(Object.entries(places))('the amount of %s', (_name, place) => {
  const below = place.min > 0 ? [['one below the least', String(place.min - 1)] as const] : [];

  it.each([...wrong, ...below])('is not %s: 422, and nothing is stored', async (_what, number) => {
    const before = await countOf(api, place.type);
    const answer = await post(place.type, place.attributes('NUMBER'), place.relations?.(), number);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).map(([, where]) => where)).toEqual([
      `/data/attributes/${place.pointer}`,
    ]);
    expect(await countOf(api, place.type)).toBe(before);
  });
});

describe('a currency', () => {
  it.each([
    ['that there is not', 'XXZ', 'invalid'],
    ['that the merchant does not take', 'EUR', 'currency_not_accepted'],
  ])('%s is refused for a payment and a subscription', async (_what, amount_currency, code) => {
    for (const [type, attributes] of [
      ['payment_demands', purchase],
      ['payment_subscriptions', { ...recurring, line_items: [] }],
    ] as const) {
      const answer = await post(type, { ...attributes, amount_currency });
      const place = '/data/attributes/amount_currency';
      expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, place]]]);
    }
  });

  it('of a refund or a capture is that of the payment', async () => {
    for (const name of ['a refund', 'a capture']) {
      const { type, attributes, relations: related } = places[name] as Place;
      const other = { ...attributes(100), amount_currency: 'EUR' };
      const answer = await post(type, other, related?.());
      expect(errorsOf(answer).map(([, where]) => where)).toEqual([
        '/data/attributes/amount_currency',
      ]);
    }
  });
});

describe('what is taken in a currency', () => {
  let client: Client;
  const limits = [
    { amount_currency: 'USD', min_cents: 500, max_cents: 5000 },
    { amount_currency: 'EUR', min_cents: 1, max_cents: null },
  ];
  beforeAll(async () => {
    const merchant = await api.books.makeMerchant({
      accepted_currencies: '["USD","EUR","JPY","BHD"]',
      amount_limits: JSON.stringify(limits),
    });
    client = api.as(await merchant.key());
  });

  const tried = async (amount_currency: string, amount_cents: number): Promise<Answer> =>
    client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', {
        ...purchase,
        amount_currency,
        amount_cents,
      }),
    );

  it.each([
    ['USD', 500, 5000],
    ['EUR', 10, AMOUNT_MAX],
    ['JPY', 10, AMOUNT_MAX],
    ['BHD', 100, AMOUNT_MAX],
  ])('%s: from %i to %i minor units', async (currency, least, most) => {
    const amounts = [least - 1, least, most, most + 1];
    const answers = await Promise.all(amounts.map((amount) => tried(currency, amount)));
    expect(answers.map((answer) => [answer.status, errorsOf(answer)[0]?.[0]])).toEqual([
      [422, 'too_small'],
      [201, undefined],
      [201, undefined],
      [422, 'too_large'],
    ]);
  });

  it('counts for updates of either', async () => {
    const records = [
      await makeDemand(client, { amount_cents: 600 }),
      await makeSubscription(client, { amount_cents: 600 }),
    ];
    for (const record of records) {
      const answer = await patch({ client }, record, { amount_cents: 499 });
      expect([answer.status, errorsOf(answer)]).toEqual([
        422,
        [['too_small', '/data/attributes/amount_cents']],
      ]);
      const { attributes } = await client.fetch(record.type, record.id);
      expect(attributes.amount_cents).toBe(600);
    }
    const cheap = await makeDemand(client, { amount_currency: 'EUR', amount_cents: 100 });
    expect((await patch({ client }, cheap, { amount_currency: 'USD' })).status).toBe(422);
  });

  it('is what the merchant says itself, and shows', async () => {
    const [{ id, attributes }] = (await client.get('/v2/merchants')).body.data;
    expect(attributes.amount_limits).toEqual(limits);
    const record = { type: 'merchants', id };
    const refused = await patch({ client }, record, { amount_limits: [{ min_cents: 0 }] });
    expect(errorsOf(refused)).toEqual([
      ['blank', '/data/attributes/amount_limits/0/amount_currency'],
      ['too_small', '/data/attributes/amount_limits/0/min_cents'],
    ]);
    const senseless = [limits[0], { ...limits[0], max_cents: 499 }];
    expect(errorsOf(await patch({ client }, record, { amount_limits: senseless }))).toEqual([
      ['invalid', '/data/attributes/amount_limits/1/amount_currency'],
      ['invalid', '/data/attributes/amount_limits/1/max_cents'],
    ]);
    const changed = await patch({ client }, record, { amount_limits: [] });
    expect(changed.body.data.attributes.amount_limits).toEqual([]);
  });
});
