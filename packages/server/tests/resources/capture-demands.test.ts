import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type ResourceObject } from '../support/client.ts';
import {
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const type = 'capture_demands';
const PAYMENT_POINTER = '/data/relationships/payment_demand';
const AMOUNT_POINTER = '/data/attributes/amount_cents';

const capture = (
  payment_demand: Pick<ResourceObject, 'type' | 'id'>,
  attributes: object = {},
): Promise<Answer> =>
  api.client.send('POST', `/v2/${type}`, documentOf(type, attributes, { payment_demand }));

const paymentOf = async ({ id }: ResourceObject): Promise<ResourceObject> =>
  api.client.fetch('payment_demands', id);

/** Status, code and pointer of a single error. */
const refusalOf = ({ status, body }: Answer) => [
  status,
  body.errors?.[0]?.code,
  body.errors?.[0]?.source?.pointer,
];

describe('a capture demand', () => {
  describeReads(api, type, async () => {
    const { id } = await makeCapture(api.client, await makeAuthorisedPayment(api.client));
    return waitForOutcome(api.client, id, type);
  });
  describeRefusedMethods(api, type);

  it('captures the whole hold without an amount', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: 4321 });
    expect(payment.attributes).toMatchObject({
      status: 'authorised',
      amount_authorised_cents: 4321,
      amount_captured_cents: 0,
      amount_refundable_cents: 0,
      fee_cents: 0,
      succeeded_at: null,
    });
    expect(payment.meta).toEqual({ allowed_actions: ['capture', 'void'] });
    const { status, body } = await capture(payment);
    expect([status, body.data.attributes]).toMatchObject([
      201,
      { status: 'pending', amount_cents: 4321, amount_currency: 'USD', failure_reason: null },
    ]);
    expect((await waitForOutcome(api.client, body.data.id, type)).attributes.status).toBe(
      'succeeded',
    );
    expect((await paymentOf(payment)).attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: 4321,
      amount_refundable_cents: 4321,
      hold_expires_at: null,
    });
  });

  it('captures a part, and releases the rest of the hold', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const { id } = await makeCapture(api.client, payment, { amount_cents: 1000 });
    await waitForOutcome(api.client, id, type);
    expect((await paymentOf(payment)).attributes).toMatchObject({
      amount_authorised_cents: 2500,
      amount_captured_cents: 1000,
      fee_cents: 45,
    });
    expect(refusalOf(await capture(payment))).toEqual([
      422,
      'payment_not_authorised',
      PAYMENT_POINTER,
    ]);
  });

  it('captures parts until the last one, and keeps the hold between them', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const captured: unknown[] = [];
    for (const attributes of [
      { amount_cents: 1000, final: false },
      { amount_cents: 700, final: false },
      { final: false },
    ]) {
      const { id } = await makeCapture(api.client, payment, attributes);
      const { attributes: capture } = await waitForOutcome(api.client, id, type);
      const { attributes: after } = await paymentOf(payment);
      captured.push([capture.amount_cents, capture.final, after.status, after.fee_cents]);
      expect(after).toMatchObject({
        amount_authorised_cents: 2500,
        amount_refundable_cents: after.status === 'succeeded' ? 2500 : 0,
        hold_expires_at: after.status === 'succeeded' ? null : payment.attributes.hold_expires_at,
      });
    }
    expect(captured).toEqual([
      [1000, false, 'authorised', 45],
      [700, false, 'authorised', 73],
      [800, true, 'succeeded', 105],
    ]);
    expect((await paymentOf(payment)).attributes.amount_captured_cents).toBe(2500);
  });

  /** A payment of 2500 with a captured part of 1000. */
  const makePartlyCaptured = async (): Promise<ResourceObject> => {
    const payment = await makeAuthorisedPayment(api.client);
    const { id } = await makeCapture(api.client, payment, { amount_cents: 1000, final: false });
    await waitForOutcome(api.client, id, type);
    return paymentOf(payment);
  };

  it('after another takes at most the rest, and the part is refunded once the hold has ended', async () => {
    const payment = await makePartlyCaptured();
    expect(payment.meta).toEqual({ allowed_actions: ['capture', 'void'] });
    const refusedCapture = await capture(payment, { amount_cents: 1501 });
    expect([...refusalOf(refusedCapture), refusedCapture.body.errors?.[0]?.meta]).toEqual([
      422,
      'over_authorised',
      AMOUNT_POINTER,
      { capturable_cents: 1500, authorised_cents: 1500 },
    ]);
    const refundOfAll = documentOf(
      'refund_demands',
      { reason: 'duplicate_charge' },
      { payment_demand: payment },
    );
    const refund = () => api.client.send('POST', '/v2/refund_demands', refundOfAll);
    expect(refusalOf(await refund())).toEqual([422, 'payment_not_succeeded', PAYMENT_POINTER]);
    const { status, body } = await api.client.send(
      'PATCH',
      `/v2/payment_demands/${payment.id}/void`,
    );
    expect([status, body.data.attributes]).toMatchObject([
      200,
      {
        status: 'succeeded',
        amount_captured_cents: 1000,
        amount_refundable_cents: 1000,
        hold_expires_at: null,
        cancellation_reason: null,
        canceled_at: null,
      },
    ]);
    expect((await refund()).body.data.attributes.amount_cents).toBe(1000);
    expect(refusalOf(await capture(payment))).toEqual([
      422,
      'payment_not_authorised',
      PAYMENT_POINTER,
    ]);
  });

  it('of a part that is repeated with its key is captured once, although the hold is open again', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const part = { amount_cents: 1000, final: false, idempotency_key: randomUUID() };
    const first = await capture(payment, part);
    await waitForOutcome(api.client, first.body.data.id, type);
    expect((await paymentOf(payment)).attributes.status).toBe('authorised');
    const repeated = await capture(payment, part);
    expect([repeated.status, repeated.body.data.id]).toEqual([201, first.body.data.id]);
    expect((await paymentOf(payment)).attributes).toMatchObject({
      status: 'authorised',
      amount_captured_cents: 1000,
    });
  });

  it('concurrent with others never exceeds the hold, one at a time', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const sendAll = () =>
      Promise.all(
        Array.from({ length: 6 }, () => capture(payment, { amount_cents: 900, final: false })),
      );
    const answers = [...(await sendAll()), ...(await sendAll()), ...(await sendAll())];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]));
    const accepted = answers.filter(({ status }) => status === 201);
    for (const { body } of accepted) await waitForOutcome(api.client, body.data.id, type);
    expect(accepted.length).toBeLessThanOrEqual(2);
    expect((await paymentOf(payment)).attributes).toMatchObject({
      status: 'authorised',
      amount_captured_cents: accepted.length * 900,
    });
  });

  it('is refused by the database if it is the second in progress, or exceeds the hold', async () => {
    const payment = await makePartlyCaptured();
    const insert = (amount_cents: number) =>
      api.fixtures.db.query(
        `insert into capture_demands (merchant_id, mode, id, status, amount_cents, amount_currency,
           payment_demand_id, unsent_count, created_at, updated_at)
         select merchant_id, mode, gen_random_uuid(), given.state, cents, 'USD', id, 0, now(), now()
         from payment_demands cross join (values ('pending', $2::bigint), ('processing', 1)) as given (state, cents)
         where id = $1`,
        [payment.id, String(amount_cents)],
      );
    await expect(insert(1501)).rejects.toThrow(/exceed its authorised amount/);
    await expect(insert(1)).rejects.toThrow(/capture_demands_one_open/);
  });

  it.each([
    ['more than is held', { amount_cents: 2501 }, 'over_authorised', AMOUNT_POINTER],
    ['another currency', { amount_currency: 'EUR' }, 'invalid', '/data/attributes/amount_currency'],
  ])('of %s is refused', async (_title, attributes, code, pointer) => {
    const payment = await makeAuthorisedPayment(api.client);
    expect(refusalOf(await capture(payment, attributes))).toEqual([422, code, pointer]);
    expect((await paymentOf(payment)).attributes).toEqual(payment.attributes);
  });

  it.each([
    ['an intent', () => makeDemand(api.client)],
    ['a payment that was captured immediately', () => makeCapturedPayment(api.client)],
  ])('of %s is refused', async (_title, make) => {
    expect(refusalOf(await capture(await make()))).toEqual([
      422,
      'payment_not_authorised',
      PAYMENT_POINTER,
    ]);
  });

  it('concurrent with a void: one of the two succeeds', async () => {
    for (let round = 0; round < 2; round++) {
      const payment = await makeAuthorisedPayment(api.client);
      const [captureAnswer, voidAnswer] = await Promise.all([
        capture(payment),
        api.client.send('PATCH', `/v2/payment_demands/${payment.id}/void`),
      ]);
      expect([captureAnswer.status, voidAnswer.status].toSorted()).toSatisfy(
        ([firstStatus, secondStatus]: number[]) =>
          (firstStatus === 200 && secondStatus === 422) ||
          (firstStatus === 201 && secondStatus === 405),
      );
      const { attributes } = await waitForOutcome(api.client, payment.id);
      expect(attributes.status).toBe(captureAnswer.status === 201 ? 'succeeded' : 'canceled');
    }
  });

  it('with the key of an earlier capture returns that one', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const attributes = { idempotency_key: randomUUID() };
    const [firstAnswer, secondAnswer] = [
      await capture(payment, attributes),
      await capture(payment, attributes),
    ];
    expect([firstAnswer.status, secondAnswer.status, secondAnswer.body.data.id]).toEqual([
      201,
      201,
      firstAnswer.body.data.id,
    ]);
  });
});
