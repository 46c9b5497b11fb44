import { roleSlugs } from '@florin/contract/roles.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  newestOf,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const type = 'payment_attempts';

/** The simulator loses the response for this amount. */
const ANSWER_LOST_CENTS = 19_701;

/** A payment's attempts, oldest first. */
const attemptsOf = async ({ id }: ResourceObject): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/${type}?filter[payment_demand]=${id}&sort=created_at`)).body.data;

const firstAttemptOf = async (payment: ResourceObject): Promise<ResourceObject> =>
  (await attemptsOf(payment))[0] as ResourceObject;

const pay = async (amount_cents: number): Promise<ResourceObject> =>
  makeDemand(api.client, { confirmed: true, amount_cents }, await makeParties(api.client));

async function makeDeclinedPayment(): Promise<ResourceObject> {
  const parties = await makeParties(api.client, 'insufficient_funds');
  const { id } = await makeDemand(api.client, { confirmed: true }, parties);
  return waitForOutcome(api.client, id);
}

const linkedRecordOf = ({ relationships }: ResourceObject, name: string): unknown =>
  relationships[name]?.data;
const identifierOf = ({ type, id }: ResourceObject) => ({ type, id });

describe('a payment attempt', () => {
  let paidPayment: ResourceObject;
  let declinedPayment: ResourceObject;
  beforeAll(async () => {
    paidPayment = await makeCapturedPayment(api.client, { amount_cents: 2500 });
    declinedPayment = await makeDeclinedPayment();
  });
  describeReads(api, type, () => firstAttemptOf(paidPayment), [
    'authorisation',
    'capture_demand',
    'refund_demand',
  ]);
  describeRefusedMethods(api, type);

  it("shows the processor's request and response", async () => {
    const attempts = await attemptsOf(paidPayment);
    expect(attempts.map(({ attributes }) => attributes)).toEqual([
      {
        operation: 'authorise',
        status: 'approved',
        processor: 'sandbox',
        processor_reference: null,
        amount_cents: 2500,
        amount_currency: 'USD',
        amount_approved_cents: null,
        failure_reason: null,
        cvc2_check: 'match',
        address_line1_verification: 'match',
        postal_code_verification: 'match',
        advice: null,
        codes: null,
        route: null,
        authorisation_code: expect.any(String),
        network_transaction_eid: expect.any(String),
        inquiries_count: 0,
        unknown_since: null,
        resent_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const [attempt] = attempts as [ResourceObject];
    expect(linkedRecordOf(attempt, 'payment_demand')).toEqual(identifierOf(paidPayment));
    const processor = await newestOf(api.client, 'processor_details');
    expect(linkedRecordOf(attempt, 'processor_detail')).toEqual(identifierOf(processor));
  });

  it('of a declined payment has its reason', async () => {
    expect((await firstAttemptOf(declinedPayment)).attributes).toMatchObject({
      status: 'declined',
      failure_reason: 'insufficient_funds',
      authorisation_code: null,
    });
  });

  it('is unknown without a response, and keeps a mark of that afterwards', async () => {
    const payment = await pay(ANSWER_LOST_CENTS);
    const unknownAttempts = await eventually(
      () => attemptsOf(payment),
      ([attempt]) => attempt?.attributes.status === 'unknown',
    );
    expect(unknownAttempts[0]?.attributes.unknown_since).toEqual(expect.any(String));
    clock.advance(5);
    await waitForOutcome(api.client, payment.id);
    const { attributes } = await firstAttemptOf(payment);
    expect([attributes.status, attributes.unknown_since]).toEqual([
      'approved',
      unknownAttempts[0]?.attributes.unknown_since,
    ]);
    expect(attributes.inquiries_count).toBeGreaterThan(0);
  });

  it.each([
    ['refund', makeCapturedPayment, makeRefund],
    ['capture', makeAuthorisedPayment, makeCapture],
  ] as const)(
    'of a %s links to it and to the authorisation',
    async (operation, makePayment, makeFollowUp) => {
      const name = `${operation}_demand` as const;
      const payment = await makePayment(api.client, { amount_cents: 2500 });
      const demand = await makeFollowUp(api.client, payment, { amount_cents: 700 });
      await waitForOutcome(api.client, demand.id, `${name}s`);
      const [authorisation, followUpAttempt] = (await attemptsOf(payment)) as [
        ResourceObject,
        ResourceObject,
      ];
      expect(followUpAttempt.attributes).toMatchObject({
        operation,
        status: 'approved',
        amount_cents: 700,
      });
      expect([
        linkedRecordOf(followUpAttempt, name),
        linkedRecordOf(followUpAttempt, 'authorisation'),
      ]).toEqual([identifierOf(demand), identifierOf(authorisation)]);
      expect([
        linkedRecordOf(authorisation, name),
        linkedRecordOf(authorisation, 'authorisation'),
      ]).toEqual([null, null]);
      const answer = await api.client.get(`/v2/${type}?filter[${name}]=${demand.id}`);
      expect(answer.body.data.map(({ id }: ResourceObject) => id)).toEqual([followUpAttempt.id]);
    },
  );

  it('is found by status, in fieldsets, sorted and page by page', async () => {
    const payments = [declinedPayment, await makeDeclinedPayment()];
    const filters = 'filter[status]=declined&filter[payment_demand.status]=failed';
    const path = `/v2/${type}?${filters}&sort=-created_at&page[size]=1`;
    const firstPage = (await api.client.get(`${path}&fields[${type}]=status,payment_demand`)).body;
    expect(firstPage.data).toEqual([
      expect.objectContaining({ attributes: { status: 'declined' } }),
    ]);
    const secondPage = (await api.client.get(firstPage.links?.next as string)).body;
    const linkedPayments = [firstPage, secondPage].map(({ data }) =>
      linkedRecordOf(data[0], 'payment_demand'),
    );
    expect(linkedPayments).toEqual(payments.toReversed().map(identifierOf));
    const answer = await api.client.get(`/v2/${type}?filter[network_transaction_eid]=1`);
    expect(answer.status).toBe(400);
  });

  it('is included with its payment, refunds and captures in one request', async () => {
    const refund = await makeRefund(api.client, paidPayment, { amount_cents: 100 });
    await waitForOutcome(api.client, refund.id, 'refund_demands');
    const { body } = await api.client.get(
      `/v2/payment_demands/${paidPayment.id}?include=payment_attempts.processor_detail,refund_demands`,
    );
    const attempts = (await attemptsOf(paidPayment)).map(identifierOf);
    expect(attempts).toHaveLength(2);
    expect(body.data.relationships.payment_attempts.data).toEqual(attempts.toReversed());
    const types = body.included?.map((record: ResourceObject) => record.type);
    expect(types).toEqual([type, type, 'processor_details', 'refund_demands']);
  });

  it('contains no card data and no raw content of the vault or the processor', async () => {
    const attempt = await firstAttemptOf(paidPayment);
    const names = [...Object.keys(attempt.attributes), ...Object.keys(attempt.relationships)];
    expect(names.join()).not.toMatch(/pan|cvv|card|fingerprint|token|payload|due_at|simulate/);
  });

  it('needs a permission of its own', async () => {
    const slugs = roleSlugs('read_only');
    expect(slugs).toContain('transaction.payment_attempts.read');
    const otherPermissions = slugs.filter((slug) => slug !== 'transaction.payment_attempts.read');
    const merchant = await api.fixtures.getDemoMerchant();
    const limitedClient = api.as(await merchant.makeKey({ permissions: otherPermissions }));
    const paths = [`${type}`, `payment_demands/${paidPayment.id}?include=payment_attempts`];
    for (const path of paths) expect((await limitedClient.get(`/v2/${path}`)).status).toBe(403);
  });
});
