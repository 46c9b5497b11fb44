import { AMOUNT_MAX } from '@florin/contract/risk/amounts.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, type Client, documentOf } from '../support/client.ts';
import { makeDemand, makeSubscription, purchase, recurringPurchase } from '../support/make.ts';
import { createSender, positionsOf, type ValuePosition } from '../support/places.ts';
import { errorsOf, patch } from '../support/resource-suite.ts';

const api = useApi();

/** Fields with minor units; a limit's count may be minor units too. */
const amountPositions = positionsOf(
  (name, { type }) => type === 'integer' && (name.endsWith('_cents') || name === 'max_count'),
);
const currencyPositions = positionsOf((_name, { type }) => type === 'currency');
const { send, readStored } = createSender(api);

const nameOf = ({ type, operation, pointer }: ValuePosition): string =>
  `${operation} ${type}/${pointer}`;
const withNames = (positions: readonly ValuePosition[]) =>
  positions.map((position) => [nameOf(position), position] as const);

it('covers the most important amounts', () => {
  expect(amountPositions.map(nameOf)).toEqual(
    expect.arrayContaining([
      'create payment_demands/amount_cents',
      'update payment_demands/line_items/0/discount_cents',
      'create payment_subscriptions/amount_cents',
      'create refund_demands/amount_cents',
      'create capture_demands/amount_cents',
      'create velocity_limits/max_count',
      'update merchants/amount_limits/0/max_cents',
    ]),
  );
});

/** JSON values that no position accepts. */
const invalidValues = [
  '-1',
  '12.5',
  '1000.5',
  '0.1e1000',
  '"12"',
  '"10.00"',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775808',
  `1${'0'.repeat(30)}`,
  '1e400',
  '-1e400',
  'true',
  '[1000]',
  '{"value":1000}',
] as const;

/** One value of each kind. All positions share a parser, so only some are tested with all values. */
const sampleValues = ['-1', '12.5', '"12"', '9223372036854775808'] as const;
const isFullyTested = ({ type, operation, pointer }: ValuePosition): boolean =>
  type === 'payment_demands' && operation === 'create' && /^amount_/.test(pointer);

/** Values below a position's minimum, if that is above zero. */
const valuesBelowMinimum = ({ min = 0 }: ValuePosition['field']): string[] =>
  min > 0 ? ['0', String(min - 1)] : [];

/** Sends each value to a position. Expects that all are refused and change nothing. */
async function expectRefused(position: ValuePosition, values: readonly string[]): Promise<void> {
  const storedBefore = await readStored(position);
  const answers = await Promise.all(values.map((value) => send(position, value)));
  const pointer = `/data/attributes/${position.pointer}`;
  const outcomes = answers.map((answer, index) => [
    values[index],
    answer.status,
    errorsOf(answer)[0]?.[1],
  ]);
  expect(outcomes).toEqual(values.map((value) => [value, 422, pointer]));
  expect(await readStored(position)).toEqual(storedBefore);
}

describe('an amount that is negative, fractional, a text or too large is refused, and nothing is stored', () => {
  it.each(withNames(amountPositions))('%s', async (_name, position) => {
    const values = isFullyTested(position) ? invalidValues : sampleValues;
    await expectRefused(position, [...values, ...valuesBelowMinimum(position.field)]);
  });
});

describe('a currency', () => {
  it.each(withNames(currencyPositions))(
    'that does not exist is refused: %s',
    async (_name, position) => {
      const moreValues = isFullyTested(position) ? ['"US"', 'true', '["USD"]'] : [];
      await expectRefused(position, ['"XXZ"', '840', ...moreValues]);
    },
  );

  const memberCurrencies = currencyPositions.filter(
    ({ isMember, type }) => isMember && type.startsWith('payment_'),
  );
  it.each(withNames(memberCurrencies))(
    'of a part must be that of the whole: %s',
    async (_name, position) => {
      await expectRefused(position, ['"EUR"']);
    },
  );

  const followUpCurrencies = currencyPositions.filter(({ type }) =>
    /^(?:refund|capture)_/.test(type),
  );
  it.each(withNames(followUpCurrencies))(
    'of a follow-up must be that of the payment: %s',
    (_name, position) => expectRefused(position, ['"EUR"']),
  );
});

describe('the accepted currencies', () => {
  let client: Client;
  const limits = [
    { amount_currency: 'USD', min_cents: 500, max_cents: 5000 },
    { amount_currency: 'EUR', min_cents: 1, max_cents: null },
  ];
  beforeAll(async () => {
    const merchant = await api.fixtures.makeMerchant({
      accepted_currencies: '["USD","EUR","JPY","BHD"]',
      amount_limits: JSON.stringify(limits),
    });
    client = api.as(await merchant.makeKey());
  });

  const createPayment = async (amount_currency: string, amount_cents: number): Promise<Answer> =>
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
  ])('%s: from %i to %i minor units', async (currency, minimum, maximum) => {
    const amounts = [minimum - 1, minimum, maximum, maximum + 1];
    const answers = await Promise.all(amounts.map((amount) => createPayment(currency, amount)));
    const outcomeOf = ({ status, body }: Answer) => [
      status,
      body.errors?.[0]?.code,
      body.errors?.[0]?.meta?.limit,
    ];
    const acceptedOutcome = [201, undefined, undefined];
    expect(answers.map(outcomeOf)).toEqual([
      [422, 'too_small', minimum],
      acceptedOutcome,
      acceptedOutcome,
      [422, 'too_large', maximum],
    ]);
  });

  it.each([
    ['payment_demands', purchase],
    ['payment_subscriptions', { ...recurringPurchase, line_items: [] }],
  ] as const)('are the only ones that may be charged: %s', async (type, attributes) => {
    const document = documentOf(type, { ...attributes, amount_currency: 'CHF' });
    const answer = await client.send('POST', `/v2/${type}`, document);
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['currency_not_accepted', '/data/attributes/amount_currency']],
    ]);
  });

  it.each(['JPY', 'BHD', 'USD'])('%s has whole minor units', async (amount_currency) => {
    const attributes = { ...purchase, amount_currency, amount_cents: 0 };
    const document = JSON.stringify(documentOf('payment_demands', attributes));
    const answers = await Promise.all(
      ['1000.5', '1000.005', '"1000"', '10.000001e3'].map((number) =>
        client.send(
          'POST',
          '/v2/payment_demands',
          document.replace('"amount_cents":0', `"amount_cents":${number}`),
        ),
      ),
    );
    expect(answers.map((answer) => [answer.status, errorsOf(answer)])).toEqual(
      answers.map(() => [422, [['invalid', '/data/attributes/amount_cents']]]),
    );
  });

  it('apply to updates of the amount or the currency', async () => {
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
    const cheapPayment = await makeDemand(client, { amount_currency: 'EUR', amount_cents: 100 });
    expect((await patch({ client }, cheapPayment, { amount_currency: 'USD' })).status).toBe(422);
  });

  it('are a setting of the merchant', async () => {
    const [{ id, attributes }] = (await client.get('/v2/merchants')).body.data;
    expect(attributes.amount_limits).toEqual(limits);
    const record = { type: 'merchants', id };
    const refusal = await patch({ client }, record, { amount_limits: [{ min_cents: 0 }] });
    expect(errorsOf(refusal)).toEqual([
      ['blank', '/data/attributes/amount_limits/0/amount_currency'],
      ['too_small', '/data/attributes/amount_limits/0/min_cents'],
    ]);
    const invertedLimits = [limits[0], { ...limits[0], max_cents: 499 }];
    expect(errorsOf(await patch({ client }, record, { amount_limits: invertedLimits }))).toEqual([
      ['invalid', '/data/attributes/amount_limits/1/amount_currency'],
      ['invalid', '/data/attributes/amount_limits/1/max_cents'],
    ]);
    const updateAnswer = await patch({ client }, record, { amount_limits: [] });
    expect(updateAnswer.body.data.attributes.amount_limits).toEqual([]);
  });
});
