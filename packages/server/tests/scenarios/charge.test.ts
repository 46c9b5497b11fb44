import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { eventually, makeDemand, makeParties, purchase, waitForOutcome } from '../support/make.ts';

const api = useApi();
let client: Client;
beforeAll(() => {
  client = api.client;
});

const listSlugs = async (id: string): Promise<string[]> => {
  const { body } = await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map((event: { attributes: { slug: string } }) => event.attributes.slug);
};

/** Result of a payment by each sandbox card, by its test token. */
const results: Readonly<Record<string, readonly [status: string, failure_reason: string | null]>> =
  {
    visa: ['succeeded', null],
    visa_19: ['succeeded', null],
    mastercard: ['succeeded', null],
    discover: ['succeeded', null],
    amex: ['succeeded', null],
    generic_decline: ['failed', 'generic_decline'],
    insufficient_funds: ['failed', 'insufficient_funds'],
    lost_card: ['failed', 'lost_card'],
    stolen_card: ['failed', 'stolen_card'],
    incorrect_cvc: ['failed', 'incorrect_cvc'],
    always_blocked: ['failed', 'always_blocked'],
    highest_risk: ['failed', 'highest_risk'],
    threeds_rejected: ['failed', 'authentication_failed'],
    threeds_challenge: ['succeeded', null],
    threeds_not_enrolled: ['succeeded', null],
    threeds_unattempted: ['failed', 'authentication_failed'],
  };

/** Pays with the card. Returns the payment once it has an outcome. */
async function payWith(card: string): Promise<ResourceObject> {
  const demand = await makeDemand(client, { confirmed: true }, await makeParties(client, card));
  expect(demand.attributes.status).toBe('pending');
  return waitForOutcome(client, demand.id);
}

describe('a payment by a sandbox card', () => {
  it('has the outcome of its test token, in the record and the events', async () => {
    const cards = Object.keys(results);
    const payments = await Promise.all(cards.map(payWith));
    const entries = payments.map(({ attributes: { status, failure_reason } }, at) => [
      cards[at],
      [status, failure_reason],
    ]);
    expect(Object.fromEntries(entries)).toEqual(results);
    for (const { id, attributes } of payments) {
      const { status, processor_state, succeeded_at } = attributes;
      expect([processor_state, succeeded_at === null]).toEqual([status, status === 'failed']);
      expect(await listSlugs(id)).toEqual(['created', status]);
    }
  });

  it('the checks of the card are in the record', async () => {
    const readChecks = async (card: string) => {
      const { cvc2_check, postal_code_verification } = (await payWith(card)).attributes;
      return [cvc2_check, postal_code_verification];
    };
    expect(await readChecks('visa')).toEqual(['match', 'match']);
    expect(await readChecks('incorrect_cvc')).toEqual(['mismatch', 'match']);
    expect(await readChecks('highest_risk')).toEqual(['match', 'mismatch']);
  });
});

describe('an intent', () => {
  it('becomes ready with its last requirement, pending after confirm, and emits events only then', async () => {
    const { payer, billing_address, payment_method } = await makeParties(client);
    const demand = await makeDemand(client, {}, { payment_method: payment_method! });
    expect(demand.attributes.status).toBe('incomplete');
    const updateAnswer = await client.send(
      'PATCH',
      `/v2/payment_demands/${demand.id}`,
      documentOf(
        'payment_demands',
        {},
        { payer: payer!, billing_address: billing_address! },
        demand.id,
      ),
    );
    expect(updateAnswer.body.data.attributes.status).toBe('ready');
    expect(await listSlugs(demand.id)).toEqual([]);
    const confirmAnswer = await client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
    expect([
      confirmAnswer.status,
      confirmAnswer.body.data.id,
      confirmAnswer.body.data.attributes.status,
    ]).toEqual([200, demand.id, 'pending']);
    expect((await waitForOutcome(client, demand.id)).attributes.status).toBe('succeeded');
    expect((await listSlugs(demand.id)).toSorted()).toEqual(['created', 'succeeded', 'updated']);
  });

  it('lists what is missing when it is confirmed too early, and does not change', async () => {
    const demand = await client.make('payment_demands', {
      amount_cents: 1000,
      amount_currency: 'USD',
    });
    const answer = await client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.map(({ title, source }) => [title, source?.pointer])).toEqual([
      ["can't be blank", '/data/attributes/purchase_reference'],
      ["can't be blank", '/data/attributes/purchase_kind'],
      ["can't be blank", '/data/relationships/payer'],
      ["can't be blank", '/data/relationships/payment_method'],
      ["can't be blank", '/data/relationships/billing_address'],
    ]);
    expect((await client.fetch('payment_demands', demand.id)).attributes.status).toBe('incomplete');
  });

  it('confirmed twice answers 405 with the allowed actions, and is charged once', async () => {
    const demand = await makeDemand(client, {}, await makeParties(client));
    const confirm = () => client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
    const statuses = (await Promise.all(Array.from({ length: 10 }, confirm))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(405)]);
    await waitForOutcome(client, demand.id);
    const answer = await confirm();
    expect(answer.body.errors?.[0]).toMatchObject({
      status: '405',
      code: 'invalid_state',
      meta: { allowed_actions: ['refund'], state: 'succeeded' },
    });
    expect(answer.headers.get('allow')).toBeTruthy();
  });
});

describe('a declined payment', () => {
  it('can be confirmed again with another card', async () => {
    const parties = await makeParties(client, 'insufficient_funds');
    const demand = await makeDemand(client, { confirmed: true }, parties);
    expect((await waitForOutcome(client, demand.id)).attributes.failure_reason).toBe(
      'insufficient_funds',
    );
    await client.send('PATCH', `/v2/payment_demands/${demand.id}/confirm`);
    await eventually(
      () => listSlugs(demand.id),
      (slugs) => slugs.length === 4,
    );
    expect(await listSlugs(demand.id)).toEqual(['created', 'failed', 'updated', 'failed']);
  });
});

describe('an idempotency key', () => {
  it('of two concurrent requests creates one payment, charged once', async () => {
    const parties = await makeParties(client);
    const makePayment = () =>
      makeDemand(client, { confirmed: true, idempotency_key: 'order-77' }, parties);
    const payments = await Promise.all(Array.from({ length: 8 }, makePayment));
    expect(new Set(payments.map(({ id }) => id)).size).toBe(1);
    await waitForOutcome(client, payments[0]?.id as string);
    expect(await listSlugs(payments[0]?.id as string)).toEqual(['created', 'succeeded']);
  });

  it('used for another request is a 409 that points to the key', async () => {
    await makeDemand(client, { idempotency_key: 'order-78' });
    const { status, body } = await client.send(
      'POST',
      '/v2/payment_demands',
      documentOf('payment_demands', {
        ...purchase,
        amount_cents: 9900,
        idempotency_key: 'order-78',
      }),
    );
    expect([status, body.errors?.[0]?.code, body.errors?.[0]?.source]).toEqual([
      409,
      'idempotency_conflict',
      { pointer: '/data/attributes/idempotency_key' },
    ]);
  });
});
