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
