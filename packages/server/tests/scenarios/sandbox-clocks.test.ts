import { describe, expect, it } from 'vitest';
import { EVIDENCE_SECONDS } from '../../src/features/disputes/decide.ts';
import { HOLD_SECONDS } from '../../src/features/payments/approve.ts';
import { useApi } from '../support/api.ts';
import type { Client, Relations, ResourceObject } from '../support/client.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeHook } from '../support/hooks.ts';
import {
  eventually,
  makeAddress,
  makeAuthorisedPayment,
  makeCustomer,
  makeDemand,
  makeDispute,
  makeLink,
  makeMethod,
  makeSubscription,
  waitForOutcome,
} from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';
import { advanceAndWait, DAY_SECONDS, daysUntil, makeClock } from '../support/sandbox-clocks.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const api = useApi();

const createMerchantClient = async (): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant()).makeKey());

const reload = (client: Client, { type, id }: ResourceObject): Promise<ResourceObject> =>
  client.fetch(type, id);

/** A customer, and all related records of a payment. */
async function createPayer(client: Client): Promise<{ payer: ResourceObject } & Relations> {
  const payer = await makeCustomer(client);
  const [billing_address, payment_method] = await Promise.all([
    makeAddress(client, {}, { customer: payer }),
    makeMethod(client, 'visa', { customer: payer }),
  ]);
  return { payer, billing_address, payment_method };
}

const makeHold = async (client: Client, parties: Relations): Promise<ResourceObject> => {
  const manual = { confirmed: true, capture_method: 'manual' };
  const { id } = await makeDemand(client, manual, parties);
  return eventually(
    () => client.fetch('payment_demands', id),
    ({ attributes }) => attributes.status === 'authorised',
  );
};

/** A payment with a simulated effect in its metadata. */
const simulatePayment = async (client: Client, simulate: string): Promise<ResourceObject> =>
  makeDemand(client, { confirmed: true, metadata: { simulate } }, await createPayer(client));

describe("a merchant's clock", () => {
  it('lets holds, evidence, links and simulated effects fall due in its own time, and no others', async () => {
    const [client, otherClient] = [await createMerchantClient(), await createMerchantClient()];
    const expires_at = new Date(Date.now() + DAY_SECONDS * 1_000).toISOString();
    const links = [
      await makeLink(client, { expires_at }),
      await makeLink(otherClient, { expires_at }),
    ];
    const holds = [await makeAuthorisedPayment(client), await makeAuthorisedPayment(otherClient)];
    const clock = await makeClock(client);
    await advanceAndWait(client, clock, 1);
    const dispute = await makeDispute(client);
    const [latePayment, disputedPayment] = [
      await simulatePayment(client, 'late_approval'),
      await simulatePayment(client, 'dispute_after:7'),
    ];
    await waitForOutcome(client, disputedPayment.id);
    const arrival = await advanceAndWait(client, clock, 8 * DAY_SECONDS);
    expect(arrival.attributes).toMatchObject({ status: 'ready', target_at: null });
    const states = [...holds, ...links, dispute, latePayment, disputedPayment].map(
      async (record) =>
        (await reload(record === holds[1] || record === links[1] ? otherClient : client, record))
          .attributes.status,
    );
    expect(await Promise.all(states)).toEqual([
      ...['canceled', 'authorised', 'expired', 'active'],
      ...['lost', 'succeeded', 'disputed'],
    ]);

    const expiredHold = (await reload(client, holds[0] as ResourceObject)).attributes;
    expect(expiredHold.cancellation_reason).toBe('hold_expired');
    expect(daysUntil(expiredHold.canceled_at)).toBe(HOLD_SECONDS / DAY_SECONDS);
    const { closed_at } = (await reload(client, dispute)).attributes;
    expect(daysUntil(closed_at)).toBe(EVIDENCE_SECONDS / DAY_SECONDS);
    const { body } = await client.get(`/v2/disputes?filter[payment_demand]=${disputedPayment.id}`);
    expect(daysUntil(body.data[0].attributes.created_at)).toBe(7);
    expect(daysUntil((await makeCustomer(otherClient)).attributes.created_at)).toBe(0);
  });

  it('dates new records, retries webhooks and expires cards; existing records, open forms and clocks of customers stay', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const [client, key] = [
      api.as(await merchant.makeKey()),
      await merchant.makeKey({ context: 'browser' }),
    ];
    const earlierParties = await createPayer(client);
    const openPayment = await makeDemand(client, {}, earlierParties);
    const form = await mountForm(api.stack, openPayment.id, key);
    const clock = await makeClock(client);
    await advanceAndWait(client, clock, 30 * DAY_SECONDS);
    const parties = await createPayer(client);
    const { id } = await makeDemand(client, { confirmed: true }, parties);
    const payment = await waitForOutcome(client, id);
    expect(payment.attributes.status).toBe('succeeded');
    expect(daysUntil(payment.attributes.created_at)).toBe(30);
    expect(daysUntil(payment.attributes.succeeded_at)).toBe(30);
    const { body } = await client.get('/v2/customers');
    expect(body.data.map((record: ResourceObject) => record.id)).toEqual([
      parties.payer.id,
      earlierParties.payer.id,
    ]);
    const updateAnswer = await patch({ client }, earlierParties.payer, { name: 'Grace' });
    expect(daysUntil(updateAnswer.body.data.attributes.updated_at)).toBe(30);
    expect((await client.get('/sandbox/drain?timeout=30')).status).toBe(204);

    const ownParties = await createPayer(client);
    const ownClock = await makeClock(client, ownParties.payer);
    expect(ownClock.attributes.ahead_seconds).toBe(30 * DAY_SECONDS);
    const hold = await makeHold(client, ownParties);

    await expectWebhookRetries(client, clock);

    await advanceAndWait(client, clock, 6 * 366 * DAY_SECONDS);
    expect((await reload(client, hold)).attributes.status).toBe('authorised');
    const stayingPayment = await reload(client, await makeDemand(client, {}, ownParties));
    expect(daysUntil(stayingPayment.attributes.created_at)).toBe(30);
    const latePayment = await makeDemand(client, { confirmed: true }, parties);
    const { attributes } = await waitForOutcome(client, latePayment.id);
    expect([attributes.status, attributes.failure_reason]).toEqual(['failed', 'expired_card']);
    const sealedCard = await sealCard(form);
    expect(answerOf(await callPay(api.stack, '/frame/v1/verify', sealedCard)).result).toBe(
      'verified',
    );
    const { relationships } = await client.fetch('payment_demands', openPayment.id);
    const method = relationships.payment_method?.data as ResourceObject;
    expect(daysUntil((await reload(client, method)).attributes.created_at)).toBe(30 + 6 * 366);
  });
});

/** Checks that a clock makes webhook retries due, which are signed with the system time. */
async function expectWebhookRetries(client: Client, clock: ResourceObject): Promise<void> {
  await using receiver = await startReceiver({ '/hook': (nth) => (nth === 0 ? 500 : 200) });
  const hook = await makeHook(client, { url: `${receiver.origin}/hook` });
  await makeCustomer(client);
  const listDeliveries = async (): Promise<ResourceObject[]> =>
    (await client.get(`/v2/webhook_deliveries?filter[webhook_subscription]=${hook.id}`)).body.data;
  const [failedDelivery] = await eventually(
    listDeliveries,
    ([record]) => record?.attributes.fails_count === 1,
  );
  expect(receiver.requests).toHaveLength(1);
  await advanceAndWait(client, clock, 60);
  const [delivery] = await listDeliveries();
  expect(delivery?.attributes).toMatchObject({ status: 'delivered', fails_count: 1 });
  expect(daysUntil(failedDelivery?.attributes.created_at)).toBe(30);
  for (const { headers } of receiver.requests) {
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
  }
}

describe("a customer's clock", () => {
  it("affects only this customer's records; its webhooks arrive immediately, and a drain covers its charges", async () => {
    const client = await createMerchantClient();
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const [aheadParties, otherParties] = [await createPayer(client), await createPayer(client)];
    const [lapsingHold, stayingPayment] = [
      await makeHold(client, aheadParties),
      await makeHold(client, otherParties),
    ];
    const url = `${receiver.origin}/hook`;
    await makeHook(client, { url, events: ['transaction.payment_demands.*'] });
    await advanceAndWait(client, await makeClock(client, aheadParties.payer), 10 * DAY_SECONDS);
    const states = [lapsingHold, stayingPayment].map(
      async (record) => (await reload(client, record)).attributes.status,
    );
    expect(await Promise.all(states)).toEqual(['canceled', 'authorised']);
    const payments = [
      await makeDemand(client, { confirmed: true }, aheadParties),
      await makeDemand(client, { confirmed: true }, otherParties),
    ];
    const outcomes = await Promise.all(payments.map(({ id }) => waitForOutcome(client, id)));
    expect(outcomes.map(({ attributes }) => daysUntil(attributes.succeeded_at))).toEqual([10, 0]);
    const bodies = await eventually(
      async () => receiver.requests.map(({ body }) => JSON.parse(body)),
      ({ length }) => length >= 6,
    );
    expect(bodies.length).toBeGreaterThanOrEqual(6);
    const { body } = await client.get('/v2/payment_demands');
    expect(body.data).toHaveLength(4);

    const { id } = await makeSubscription(client, { confirmed: true }, aheadParties);
    const drainSandbox = async () => (await client.get('/sandbox/drain?timeout=30')).status;
    expect(await drainSandbox()).toBe(204);
    const payment_subscription = { type: 'payment_subscriptions', id };
    const change = await client.make(
      'subscription_changes',
      { amount_cents: 9000 },
      { payment_subscription },
    );
    expect(await drainSandbox()).toBe(204);
    const charge = change.relationships.payment_demand?.data as ResourceObject;
    expect((await reload(client, charge)).attributes.status).toBe('succeeded');
  });
});
