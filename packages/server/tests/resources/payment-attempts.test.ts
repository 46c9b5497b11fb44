import { roleSlugs } from '@florin/contract/roles.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapture,
  makeDemand,
  makeHeld,
  makePaid,
  makeParties,
  makeRefund,
  newestOf,
  untilSettled,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = clockAhead();
const api = useOwnStack({ config: { clock } });
const type = 'payment_attempts';

/** The simulator loses the response for this amount. */
const ANSWER_LOST_CENTS = 19_701;

/** A payment's attempts, oldest first. */
const attemptsOf = async ({ id }: ResourceObject): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/${type}?filter[payment_demand]=${id}&sort=created_at`)).body.data;

const firstOf = async (payment: ResourceObject): Promise<ResourceObject> =>
  (await attemptsOf(payment))[0] as ResourceObject;

const pay = async (amount_cents: number): Promise<ResourceObject> =>
  makeDemand(api.client, { confirmed: true, amount_cents }, await makeParties(api.client));

async function makeDeclined(): Promise<ResourceObject> {
  const parties = await makeParties(api.client, 'insufficient_funds');
  const { id } = await makeDemand(api.client, { confirmed: true }, parties);
  return untilSettled(api.client, id);
}

const linkedRecord = ({ relationships }: ResourceObject, name: string): unknown =>
  relationships[name]?.data;
const identifier = ({ type, id }: ResourceObject) => ({ type, id });

describe('a payment attempt', () => {
  let paid: ResourceObject;
  let declined: ResourceObject;
  beforeAll(async () => {
    paid = await makePaid(api.client, { amount_cents: 2500 });
    declined = await makeDeclined();
  });
  describeReads(api, type, () => firstOf(paid), [
    'authorisation',
    'capture_demand',
    'refund_demand',
  ]);
  describeRefusedMethods(api, type);

  it("shows the processor's request and response", async () => {
    const attempts = await attemptsOf(paid);
    expect(attempts.map(({ attributes }) => attributes)).toEqual([
      {
        operation: 'authorise',
        status: 'approved',
        processor: 'sandbox',
        amount_cents: 2500,
        amount_currency: 'USD',
        amount_approved_cents: null,
        failure_reason: null,
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
    expect(linkedRecord(attempt, 'payment_demand')).toEqual(identifier(paid));
    const processor = await newestOf(api.client, 'processor_details');
    expect(linkedRecord(attempt, 'processor_detail')).toEqual(identifier(processor));
  });

  it('of a declined payment has its reason', async () => {
    expect((await firstOf(declined)).attributes).toMatchObject({
      status: 'declined',
      failure_reason: 'insufficient_funds',
      authorisation_code: null,
    });
  });

  it('is unknown without a response, and keeps a mark of that afterwards', async () => {
    const payment = await pay(ANSWER_LOST_CENTS);
    const unknown = await eventually(
      () => attemptsOf(payment),
      ([attempt]) => attempt?.attributes.status === 'unknown',
    );
    expect(unknown[0]?.attributes.unknown_since).toEqual(expect.any(String));
    clock.advance(5);
    await untilSettled(api.client, payment.id);
    const { attributes } = await firstOf(payment);
    expect([attributes.status, attributes.unknown_since]).toEqual([
      'approved',
      unknown[0]?.attributes.unknown_since,
    ]);
    expect(attributes.inquiries_count).toBeGreaterThan(0);
  });

  it.each([
    ['refund', makePaid, makeRefund],
    ['capture', makeHeld, makeCapture],
  ] as const)('of a %s links to it and to the authorisation', async (operation, pay, make) => {
    const name = `${operation}_demand` as const;
    const payment = await pay(api.client, { amount_cents: 2500 });
    const demand = await make(api.client, payment, { amount_cents: 700 });
    await untilSettled(api.client, demand.id, `${name}s`);
    const [authorisation, own] = (await attemptsOf(payment)) as [ResourceObject, ResourceObject];
    expect(own.attributes).toMatchObject({ operation, status: 'approved', amount_cents: 700 });
    expect([linkedRecord(own, name), linkedRecord(own, 'authorisation')]).toEqual([
      identifier(demand),
      identifier(authorisation),
    ]);
    expect([
      linkedRecord(authorisation, name),
      linkedRecord(authorisation, 'authorisation'),
    ]).toEqual([null, null]);
    const found = await api.client.get(`/v2/${type}?filter[${name}]=${demand.id}`);
    expect(found.body.data.map(({ id }: ResourceObject) => id)).toEqual([own.id]);
  });

  it('is found by status, in fieldsets, sorted and page by page', async () => {
    const payments = [declined, await makeDeclined()];
    const filters = 'filter[status]=declined&filter[payment_demand.status]=failed';
    const path = `/v2/${type}?${filters}&sort=-created_at&page[size]=1`;
    const first = (await api.client.get(`${path}&fields[${type}]=status,payment_demand`)).body;
    expect(first.data).toEqual([expect.objectContaining({ attributes: { status: 'declined' } })]);
    const second = (await api.client.get(first.links?.next as string)).body;
    const paid = [first, second].map(({ data }) => linkedRecord(data[0], 'payment_demand'));
    expect(paid).toEqual(payments.toReversed().map(identifier));
    const refused = await api.client.get(`/v2/${type}?filter[network_transaction_eid]=1`);
    expect(refused.status).toBe(400);
  });

  it('is included with its payment, refunds and captures in one request', async () => {
    const refund = await makeRefund(api.client, paid, { amount_cents: 100 });
    await untilSettled(api.client, refund.id, 'refund_demands');
    const { body } = await api.client.get(
      `/v2/payment_demands/${paid.id}?include=payment_attempts.processor_detail,refund_demands`,
    );
    const attempts = (await attemptsOf(paid)).map(identifier);
    expect(attempts).toHaveLength(2);
    expect(body.data.relationships.payment_attempts.data).toEqual(attempts.toReversed());
    const types = body.included?.map((record: ResourceObject) => record.type);
    expect(types).toEqual([type, type, 'processor_details', 'refund_demands']);
  });

  it('contains no card data and no raw content of the vault or the processor', async () => {
    const attempt = await firstOf(paid);
    const names = [...Object.keys(attempt.attributes), ...Object.keys(attempt.relationships)];
    expect(names.join()).not.toMatch(/pan|cvv|card|fingerprint|token|payload|due_at|simulate/);
  });

  it('needs a permission of its own', async () => {
    const slugs = roleSlugs('read_only');
    expect(slugs).toContain('transaction.payment_attempts.read');
    const others = slugs.filter((slug) => slug !== 'transaction.payment_attempts.read');
    const merchant = await api.fixtures.demo();
    const other = api.as(await merchant.key({ permissions: others }));
    const paths = [`${type}`, `payment_demands/${paid.id}?include=payment_attempts`];
    for (const path of paths) expect((await other.get(`/v2/${path}`)).status).toBe(403);
  });
});
