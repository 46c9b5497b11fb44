import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, NOBODY, type ResourceObject } from '../support/client.ts';
import { makeDemand, makePaid, makeParties, makeRefund, untilSettled } from '../support/make.ts';
import { describeReads, describeRefusedMethods, errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const type = 'refund_demands';
const PAYMENT = '/data/relationships/payment_demand';
const pointerTo = (name: string): string => `/data/attributes/${name}`;

const refund = (
  payment_demand: Pick<ResourceObject, 'type' | 'id'>,
  attributes: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  api.client.send(
    'POST',
    `/v2/${type}`,
    documentOf(type, { reason: 'duplicate_charge', ...attributes }, { payment_demand }),
    headers,
  );

/** Status, and title and pointer of a single error. */
const refusalOf = ({ status, body }: Answer) => [
  status,
  body.errors?.[0]?.title,
  body.errors?.[0]?.source?.pointer,
];

const countOf = async (payment: ResourceObject): Promise<number> =>
  (await api.client.get(`/v2/${type}?filter[payment_demand]=${payment.id}`)).body.data.length;

describe('a refund demand', () => {
  describeReads(api, type, async () => {
    const { id } = await makeRefund(api.client, await makePaid(api.client));
    return untilSettled(api.client, id, type);
  });
  describeRefusedMethods(api, type);

  it('is pending at first, with the full amount by default', async () => {
    const payment = await makePaid(api.client, { amount_cents: 4321 });
    const { status, body, headers } = await refund(payment);
    expect([status, headers.get('location')]).toEqual([201, body.data.links.self]);
    expect(body.data.attributes).toMatchObject({
      state: 'pending',
      status: 'pending',
      amount_cents: 4321,
      amount_currency: 'USD',
      reason: 'duplicate_charge',
      reason_note: null,
      idempotency_key: null,
      failure_reason: null,
      succeeded_at: null,
    });
    expect(body.data.relationships.payment_demand.data).toEqual({
      type: 'payment_demands',
      id: payment.id,
    });
  });

  it('refunds parts until nothing is left, and the payment shows how much', async () => {
    const payment = await makePaid(api.client, { amount_cents: 2500 });
    for (const [amount_cents, given] of [
      [1500, 1500],
      [undefined, 1000],
    ]) {
      const { id } = await makeRefund(api.client, payment, { amount_cents });
      const { attributes } = await untilSettled(api.client, id, type);
      expect([attributes.status, attributes.amount_cents]).toEqual(['succeeded', given]);
    }
    const path = `/v2/payment_demands/${payment.id}`;
    const { attributes, meta } = (await api.client.get(path)).body.data;
    expect([attributes.status, attributes.amount_refunded_cents]).toEqual(['succeeded', 2500]);
    const confirmed = await api.client.send('PATCH', `${path}/confirm`);
    const possible = [payment.meta, meta, confirmed.body.errors?.[0]?.meta];
    expect(possible.map((one) => one?.allowed_actions)).toEqual([['refund'], [], []]);
    expect(refusalOf(await refund(payment))).toEqual([
      422,
      'has already been fully refunded',
      PAYMENT,
    ]);
  });

  it('reserves its amount before it succeeds, and returns the given attributes', async () => {
    const payment = await makePaid(api.client, { amount_cents: 2500 });
    const given = {
      amount_cents: 2000,
      amount_currency: 'USD',
      reason: 'custom',
      reason_note: 'Ünïque '.repeat(70),
      idempotency_key: randomUUID(),
    };
    expect((await makeRefund(api.client, payment, given)).attributes).toMatchObject(given);
    const more = await refund(payment, { amount_cents: 501 });
    expect(refusalOf(more)).toEqual([
      422,
      'greater than the unrefunded amount',
      pointerTo('amount_cents'),
    ]);
    expect(more.body.errors?.[0]?.meta).toEqual({ unrefunded_cents: 500 });
  });
});

describe('a refund demand is refused', () => {
  let paid: ResourceObject;
  beforeAll(async () => {
    paid = await makePaid(api.client, { amount_cents: 2500 });
  });

  it.each<[string, object, string, string]>([
    ['no reason', { reason: null }, 'blank', 'reason'],
    ['a reason that is not in the list', { reason: 'bored' }, 'not_in_list', 'reason'],
    ['a note of 501 characters', { reason_note: 'x'.repeat(501) }, 'too_long', 'reason_note'],
    ['more than was paid', { amount_cents: 2501 }, 'over_unrefunded', 'amount_cents'],
    ['another currency', { amount_currency: 'EUR' }, 'invalid', 'amount_currency'],
    ['a state', { state: 'succeeded' }, 'read_only', 'state'],
  ])('with %s', async (_what, attributes, code, name) => {
    const answer = await refund(paid, attributes);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, pointerTo(name)]]]);
    expect(await countOf(paid)).toBe(0);
  });

  it('without a payment', async () => {
    const document = documentOf(type, { reason: 'custom' });
    const answer = await api.client.send('POST', `/v2/${type}`, document);
    expect(refusalOf(answer)).toEqual([422, "can't be blank", PAYMENT]);
  });

  it.each<[string, () => Promise<ResourceObject>]>([
    ['an intent', () => makeDemand(api.client)],
    [
      'a declined payment',
      async () => {
        const parties = await makeParties(api.client, 'lost_card');
        const { id } = await makeDemand(api.client, { confirmed: true }, parties);
        return untilSettled(api.client, id);
      },
    ],
    [
      'a disputed payment',
      async () => {
        const payment = await makePaid(api.client);
        await api.fixtures.db.query(
          `update payment_demands set status = 'disputed' where id = $1`,
          [payment.id],
        );
        return payment;
      },
    ],
  ])('of %s', async (_what, make) => {
    const payment = await make();
    expect(refusalOf(await refund(payment))).toEqual([
      422,
      'must have been successfully processed to be refunded',
      PAYMENT,
    ]);
    expect(await countOf(payment)).toBe(0);
  });

  it('of a payment without a known authorisation', async () => {
    const id = randomUUID();
    await api.fixtures.db.query(
      `insert into payment_demands select (jsonb_populate_record(p, $2::jsonb)).*
       from payment_demands p where id = $1`,
      [paid.id, JSON.stringify({ id })],
    );
    expect(refusalOf(await refund({ type: 'payment_demands', id }))).toEqual([
      422,
      'has no refundable authorizations',
      PAYMENT,
    ]);
  });

  it.each<[string, () => Promise<ResourceObject>]>([
    ['nobody', async () => ({ ...paid, id: NOBODY })],
    [
      'another merchant',
      async () => makePaid(api.as(await (await api.fixtures.makeMerchant()).key())),
    ],
  ])('of a payment of %s: 404', async (_whose, make) => {
    const answer = await refund(await make());
    expect([answer.status, errorsOf(answer)]).toEqual([404, [['relationship_not_found', PAYMENT]]]);
  });
});

describe('a refund demand with an idempotency key', () => {
  let paid: ResourceObject;
  beforeAll(async () => {
    paid = await makePaid(api.client, { amount_cents: 90_000 });
  });
  const first = { amount_cents: 300, reason: 'custom', reason_note: 'Broken' };

  it.each<[string, object, 'the same' | 'refused']>([
    ['everything as it was', first, 'the same'],
    ['no amount', { ...first, amount_cents: undefined }, 'the same'],
    ['its currency as well', { ...first, amount_currency: 'USD' }, 'the same'],
    ['another amount', { ...first, amount_cents: 301 }, 'refused'],
    ['another reason', { ...first, reason: 'technical_issue' }, 'refused'],
    ['another note', { ...first, reason_note: 'Late' }, 'refused'],
    ['no note', { ...first, reason_note: undefined }, 'refused'],
  ])('that is sent again with %s', async (_what, again, outcome) => {
    const idempotency_key = randomUUID();
    const [one, other] = [
      await refund(paid, { ...first, idempotency_key }),
      await refund(paid, { ...again, idempotency_key }),
    ];
    if (outcome === 'the same') {
      expect([one.status, other.status, other.body.data.id]).toEqual([201, 201, one.body.data.id]);
    } else expect(refusalOf(other)).toEqual(refusedKey);
  });
  const refusedKey = [
    422,
    'has already been used for a different refund request',
    pointerTo('idempotency_key'),
  ];

  it('cannot be for two payments, neither in sequence nor concurrently', async () => {
    const payments = [await makePaid(api.client), paid];
    const idempotency_key = randomUUID();
    const answers = await Promise.all(
      payments.map((payment) => refund(payment, { ...first, idempotency_key })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 422]);
    const open = payments[answers.findIndex(({ status }) => status === 422)]!;
    expect(refusalOf(await refund(open, { ...first, idempotency_key }))).toEqual(refusedKey);
    expect(answers.map(refusalOf)).toContainEqual(refusedKey);
  });

  it('refunds the payment once, also by ten concurrent requests', async () => {
    const payment = await makePaid(api.client);
    const idempotency_key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refund(payment, { idempotency_key })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await countOf(payment)).toBe(1);
  });

  it('may have it in a header, for one document', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const one = await refund(paid, first, headers);
    const same = await refund(paid, first, headers);
    expect([same.status, same.body.data.id]).toEqual([201, one.body.data.id]);
    const other = await refund(paid, { ...first, amount_cents: 301 }, headers);
    expect([other.status, errorsOf(other)]).toEqual([
      409,
      [['idempotency_conflict', 'Idempotency-Key']],
    ]);
  });

  it('that was refused can be used for a corrected request', async () => {
    const idempotency_key = randomUUID();
    const wrong = await refund(paid, { amount_cents: 90_001, idempotency_key });
    const right = await refund(paid, { amount_cents: 1, idempotency_key });
    expect([wrong.status, right.status]).toEqual([422, 201]);
  });
});
