import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import {
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods, errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const type = 'refund_demands';
const PAYMENT_POINTER = '/data/relationships/payment_demand';
const pointerOf = (name: string): string => `/data/attributes/${name}`;

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
    const { id } = await makeRefund(api.client, await makeCapturedPayment(api.client));
    return waitForOutcome(api.client, id, type);
  });
  describeRefusedMethods(api, type);

  it('is pending at first, with the full amount by default', async () => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: 4321 });
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
    const payment = await makeCapturedPayment(api.client, { amount_cents: 2500 });
    for (const [amount_cents, expectedCents] of [
      [1500, 1500],
      [undefined, 1000],
    ]) {
      const { id } = await makeRefund(api.client, payment, { amount_cents });
      const { attributes } = await waitForOutcome(api.client, id, type);
      expect([attributes.status, attributes.amount_cents]).toEqual(['succeeded', expectedCents]);
    }
    const path = `/v2/payment_demands/${payment.id}`;
    const { attributes, meta } = (await api.client.get(path)).body.data;
    expect([attributes.status, attributes.amount_refunded_cents]).toEqual(['succeeded', 2500]);
    const confirmation = await api.client.send('PATCH', `${path}/confirm`);
    const metas = [payment.meta, meta, confirmation.body.errors?.[0]?.meta];
    expect(metas.map((recordMeta) => recordMeta?.allowed_actions)).toEqual([['refund'], [], []]);
    expect(refusalOf(await refund(payment))).toEqual([
      422,
      'has already been fully refunded',
      PAYMENT_POINTER,
    ]);
  });

  it('reserves its amount before it succeeds, and returns the given attributes', async () => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: 2500 });
    const attributes = {
      amount_cents: 2000,
      amount_currency: 'USD',
      reason: 'custom',
      reason_note: 'Ünïque '.repeat(70),
      idempotency_key: randomUUID(),
    };
    expect((await makeRefund(api.client, payment, attributes)).attributes).toMatchObject(
      attributes,
    );
    const answer = await refund(payment, { amount_cents: 501 });
    expect(refusalOf(answer)).toEqual([
      422,
      'greater than the unrefunded amount',
      pointerOf('amount_cents'),
    ]);
    expect(answer.body.errors?.[0]?.meta).toEqual({ unrefunded_cents: 500 });
  });
});

describe('a refund demand is refused', () => {
  let paidPayment: ResourceObject;
  beforeAll(async () => {
    paidPayment = await makeCapturedPayment(api.client, { amount_cents: 2500 });
  });

  it.each<[string, object, string, string]>([
    ['no reason', { reason: null }, 'blank', 'reason'],
    ['a reason that is not in the list', { reason: 'bored' }, 'not_in_list', 'reason'],
    ['a note of 501 characters', { reason_note: 'x'.repeat(501) }, 'too_long', 'reason_note'],
    ['more than was paid', { amount_cents: 2501 }, 'over_unrefunded', 'amount_cents'],
    ['another currency', { amount_currency: 'EUR' }, 'invalid', 'amount_currency'],
    ['a state', { state: 'succeeded' }, 'read_only', 'state'],
  ])('with %s', async (_title, attributes, code, name) => {
    const answer = await refund(paidPayment, attributes);
    expect([answer.status, errorsOf(answer)]).toEqual([422, [[code, pointerOf(name)]]]);
    expect(await countOf(paidPayment)).toBe(0);
  });

  it('without a payment', async () => {
    const document = documentOf(type, { reason: 'custom' });
    const answer = await api.client.send('POST', `/v2/${type}`, document);
    expect(refusalOf(answer)).toEqual([422, "can't be blank", PAYMENT_POINTER]);
  });

  it.each<[string, () => Promise<ResourceObject>]>([
    ['an intent', () => makeDemand(api.client)],
    [
      'a declined payment',
      async () => {
        const parties = await makeParties(api.client, 'lost_card');
        const { id } = await makeDemand(api.client, { confirmed: true }, parties);
        return waitForOutcome(api.client, id);
      },
    ],
    [
      'a disputed payment',
      async () => {
        const payment = await makeCapturedPayment(api.client);
        await api.fixtures.db.query(
          `update payment_demands set status = 'disputed' where id = $1`,
          [payment.id],
        );
        return payment;
      },
    ],
  ])('of %s', async (_title, make) => {
    const payment = await make();
    expect(refusalOf(await refund(payment))).toEqual([
      422,
      'must have been successfully processed to be refunded',
      PAYMENT_POINTER,
    ]);
    expect(await countOf(payment)).toBe(0);
  });

  it('of a payment without a known authorisation', async () => {
    const id = randomUUID();
    await api.fixtures.db.query(
      `insert into payment_demands select (jsonb_populate_record(p, $2::jsonb)).*
       from payment_demands p where id = $1`,
      [paidPayment.id, JSON.stringify({ id })],
    );
    expect(refusalOf(await refund({ type: 'payment_demands', id }))).toEqual([
      422,
      'has no refundable authorizations',
      PAYMENT_POINTER,
    ]);
  });

  it.each<[string, () => Promise<ResourceObject>]>([
    ['nobody', async () => ({ ...paidPayment, id: UNKNOWN_ID })],
    [
      'another merchant',
      async () => makeCapturedPayment(api.as(await (await api.fixtures.makeMerchant()).makeKey())),
    ],
  ])('of a payment of %s: 404', async (_whose, make) => {
    const answer = await refund(await make());
    expect([answer.status, errorsOf(answer)]).toEqual([
      404,
      [['relationship_not_found', PAYMENT_POINTER]],
    ]);
  });
});

describe('a refund demand with an idempotency key', () => {
  let paidPayment: ResourceObject;
  beforeAll(async () => {
    paidPayment = await makeCapturedPayment(api.client, { amount_cents: 90_000 });
  });
  const firstAttributes = { amount_cents: 300, reason: 'custom', reason_note: 'Broken' };

  it.each<[string, object, 'the same' | 'refused']>([
    ['everything as it was', firstAttributes, 'the same'],
    ['no amount', { ...firstAttributes, amount_cents: undefined }, 'the same'],
    ['its currency as well', { ...firstAttributes, amount_currency: 'USD' }, 'the same'],
    ['another amount', { ...firstAttributes, amount_cents: 301 }, 'refused'],
    ['another reason', { ...firstAttributes, reason: 'technical_issue' }, 'refused'],
    ['another note', { ...firstAttributes, reason_note: 'Late' }, 'refused'],
    ['no note', { ...firstAttributes, reason_note: undefined }, 'refused'],
  ])('that is sent again with %s', async (_title, repeatedAttributes, outcome) => {
    const idempotency_key = randomUUID();
    const [firstAnswer, secondAnswer] = [
      await refund(paidPayment, { ...firstAttributes, idempotency_key }),
      await refund(paidPayment, { ...repeatedAttributes, idempotency_key }),
    ];
    if (outcome === 'the same') {
      expect([firstAnswer.status, secondAnswer.status, secondAnswer.body.data.id]).toEqual([
        201,
        201,
        firstAnswer.body.data.id,
      ]);
    } else expect(refusalOf(secondAnswer)).toEqual(keyRefusal);
  });
  const keyRefusal = [
    422,
    'has already been used for a different refund request',
    pointerOf('idempotency_key'),
  ];

  it('cannot be for two payments, neither in sequence nor concurrently', async () => {
    const payments = [await makeCapturedPayment(api.client), paidPayment];
    const idempotency_key = randomUUID();
    const answers = await Promise.all(
      payments.map((payment) => refund(payment, { ...firstAttributes, idempotency_key })),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, 422]);
    const unusedPayment = payments[answers.findIndex(({ status }) => status === 422)]!;
    expect(refusalOf(await refund(unusedPayment, { ...firstAttributes, idempotency_key }))).toEqual(
      keyRefusal,
    );
    expect(answers.map(refusalOf)).toContainEqual(keyRefusal);
  });

  it('refunds the payment once, also by ten concurrent requests', async () => {
    const payment = await makeCapturedPayment(api.client);
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
    const firstAnswer = await refund(paidPayment, firstAttributes, headers);
    const repeatedAnswer = await refund(paidPayment, firstAttributes, headers);
    expect([repeatedAnswer.status, repeatedAnswer.body.data.id]).toEqual([
      201,
      firstAnswer.body.data.id,
    ]);
    const otherAnswer = await refund(
      paidPayment,
      { ...firstAttributes, amount_cents: 301 },
      headers,
    );
    expect([otherAnswer.status, errorsOf(otherAnswer)]).toEqual([
      409,
      [['idempotency_conflict', 'Idempotency-Key']],
    ]);
  });

  it('that was refused can be used for a corrected request', async () => {
    const idempotency_key = randomUUID();
    const refusedAnswer = await refund(paidPayment, { amount_cents: 90_001, idempotency_key });
    const correctedAnswer = await refund(paidPayment, { amount_cents: 1, idempotency_key });
    expect([refusedAnswer.status, correctedAnswer.status]).toEqual([422, 201]);
  });
});
