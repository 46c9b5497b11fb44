import { describe, expect, it } from 'vitest';
import { EVIDENCE_SECONDS } from '../../src/features/disputes/decide.ts';
import { HOLD_SECONDS } from '../../src/features/payments/decide-outcome.ts';
import { useApi } from '../support/api.ts';
import type { Client, Relations, ResourceObject } from '../support/client.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeHook } from '../support/hooks.ts';
import {
  eventually,
  makeAddress,
  makeCustomer,
  makeDemand,
  makeDispute,
  makeHeld,
  makeLink,
  makeMethod,
  makeSubscription,
  settled,
} from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';
import { DAY_SECONDS, daysAhead, makeClock, pass } from '../support/sandbox-clocks.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const api = useApi();

const newMerchant = async (): Promise<Client> =>
  api.as(await (await api.books.makeMerchant()).key());

const again = (client: Client, { type, id }: ResourceObject): Promise<ResourceObject> =>
  client.fetch(type, id);

/** A customer, and all related records of a payment. */
async function newPayer(client: Client): Promise<{ payer: ResourceObject } & Relations> {
  const payer = await makeCustomer(client);
  const [billing_address, payment_method] = await Promise.all([
    makeAddress(client, {}, { customer: payer }),
    makeMethod(client, 'visa', { customer: payer }),
  ]);
  return { payer, billing_address, payment_method };
}

const hold = async (client: Client, parties: Relations): Promise<ResourceObject> => {
  const manual = { confirmed: true, capture_method: 'manual' };
  const { id } = await makeDemand(client, manual, parties);
  return eventually(
    () => client.fetch('payment_demands', id),
    ({ attributes }) => attributes.status === 'authorised',
  );
};

describe("a merchant's clock", () => {
  it('expires a hold in its own time', async () => {
    const client = await newMerchant();
    const held = await makeHeld(client);
    const clock = await makeClock(client);
    await pass(client, clock, HOLD_SECONDS - DAY_SECONDS);
    expect((await again(client, held)).attributes.status).toBe('authorised');
    const { attributes } = await pass(client, clock, 5 * DAY_SECONDS);
    expect(attributes).toMatchObject({ status: 'ready', target_at: null });
    const lapsed = (await again(client, held)).attributes;
    expect(lapsed).toMatchObject({ status: 'canceled', cancellation_reason: 'hold_expired' });
    expect(daysAhead(lapsed.canceled_at)).toBe(HOLD_SECONDS / DAY_SECONDS);
  });

  it('dates new records, and hides no existing ones', async () => {
    const client = await newMerchant();
    const before = await makeCustomer(client);
    await pass(client, await makeClock(client), 30 * DAY_SECONDS);
    const parties = await newPayer(client);
    const { id } = await makeDemand(client, { confirmed: true }, parties);
    const payment = await settled(client, id);
    expect(payment.attributes.status).toBe('succeeded');
    expect(daysAhead(payment.attributes.created_at)).toBe(30);
    expect(daysAhead(payment.attributes.succeeded_at)).toBe(30);
    const { body } = await client.get('/v2/customers');
    expect(body.data.map((one: ResourceObject) => one.id)).toEqual([parties.payer.id, before.id]);
    const changed = await patch({ client }, before, { name: 'Grace' });
    expect(daysAhead(changed.body.data.attributes.updated_at)).toBe(30);
    expect((await client.get('/sandbox/drain?timeout=30')).status).toBe(204);
  });

  it('makes webhook retries due, signed with the system time', async () => {
    const client = await newMerchant();
    await using receiver = await startReceiver({ '/hook': (nth) => (nth === 0 ? 500 : 200) });
    const clock = await makeClock(client);
    await pass(client, clock, 100 * DAY_SECONDS);
    const url = `${receiver.origin}/hook`;
    const hook = await makeHook(client, { url });
    await makeCustomer(client);
    const deliveries = async (): Promise<ResourceObject[]> =>
      (await client.get(`/v2/webhook_deliveries?filter[webhook_subscription]=${hook.id}`)).body
        .data;
    const [failed] = await eventually(deliveries, ([one]) => one?.attributes.fails_count === 1);
    expect(receiver.received).toHaveLength(1);
    await pass(client, clock, 60);
    const [delivery] = await deliveries();
    expect(delivery?.attributes).toMatchObject({ status: 'delivered', fails_count: 1 });
    expect(daysAhead(failed?.attributes.created_at)).toBe(100);
    for (const { headers } of receiver.received) {
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    }
  });

  it('ends the time for evidence', async () => {
    const client = await newMerchant();
    const clock = await makeClock(client);
    const dispute = await makeDispute(client);
    await pass(client, clock, EVIDENCE_SECONDS - DAY_SECONDS);
    expect((await again(client, dispute)).attributes.status).toBe('needs_response');
    await pass(client, clock, 2 * DAY_SECONDS);
    const { attributes } = await again(client, dispute);
    expect(attributes.status).toBe('lost');
    expect(daysAhead(attributes.closed_at)).toBe(EVIDENCE_SECONDS / DAY_SECONDS);
  });

  it('triggers the simulated effects of payments: approvals and disputes', async () => {
    const client = await newMerchant();
    const clock = await makeClock(client);
    await pass(client, clock, 1);
    const ask = async (simulate: string) =>
      makeDemand(client, { confirmed: true, metadata: { simulate } }, await newPayer(client));
    const [late, disputed] = [await ask('late_approval'), await ask('dispute_after:20')];
    await settled(client, disputed.id);
    await pass(client, clock, 19 * DAY_SECONDS);
    const states = async () =>
      Promise.all(
        [late, disputed].map(async (one) => (await again(client, one)).attributes.status),
      );
    expect(await states()).toEqual(['succeeded', 'succeeded']);
    await pass(client, clock, 2 * DAY_SECONDS);
    expect(await states()).toEqual(['succeeded', 'disputed']);
    const { body } = await client.get(`/v2/disputes?filter[payment_demand]=${disputed.id}`);
    expect(daysAhead(body.data[0].attributes.created_at)).toBe(20);
  });

  it('expires cards, while an open form stays valid', async () => {
    const merchant = await api.books.makeMerchant();
    const [client, key] = [
      api.as(await merchant.key()),
      await merchant.key({ context: 'browser' }),
    ];
    const parties = await newPayer(client);
    const open = await makeDemand(client, {}, parties);
    const form = await mountForm(api.stack, open.id, key);
    const clock = await makeClock(client);
    await pass(client, clock, 6 * 366 * DAY_SECONDS);
    const { id } = await makeDemand(client, { confirmed: true }, parties);
    const { attributes } = await settled(client, id);
    expect([attributes.status, attributes.failure_reason]).toEqual(['failed', 'expired_card']);
    const sealed = await sealCard(form);
    expect(answerOf(await callPay(api.stack, '/frame/v1/verify', sealed)).result).toBe('verified');
    const { relationships } = await client.fetch('payment_demands', open.id);
    const method = relationships.payment_method?.data as ResourceObject;
    expect(daysAhead((await again(client, method)).attributes.created_at)).toBe(6 * 366);
  });

  it('does not affect other merchants', async () => {
    const [client, other] = [await newMerchant(), await newMerchant()];
    const held = await makeHeld(other);
    const expires_at = new Date(Date.now() + DAY_SECONDS * 1_000).toISOString();
    const [own, link] = [
      await makeLink(client, { expires_at }),
      await makeLink(other, { expires_at }),
    ];
    await pass(client, await makeClock(client), 30 * DAY_SECONDS);
    const links = [await again(client, own), await again(other, link)];
    expect(links.map(({ attributes }) => attributes.status)).toEqual(['expired', 'active']);
    const customer = await makeCustomer(other);
    expect(daysAhead(customer.attributes.created_at)).toBe(0);
    expect((await again(other, held)).attributes.status).toBe('authorised');
  });
});

describe("a customer's clock", () => {
  it("affects only this customer's records, and its webhooks arrive immediately", async () => {
    const client = await newMerchant();
    await using receiver = await startReceiver({ '/hook': () => 200 });
    const [ahead, other] = [await newPayer(client), await newPayer(client)];
    const [lapsing, staying] = [await hold(client, ahead), await hold(client, other)];
    const url = `${receiver.origin}/hook`;
    await makeHook(client, { url, events: ['transaction.payment_demands.*'] });
    await pass(client, await makeClock(client, ahead.payer), 10 * DAY_SECONDS);
    const states = [lapsing, staying].map(
      async (one) => (await again(client, one)).attributes.status,
    );
    expect(await Promise.all(states)).toEqual(['canceled', 'authorised']);
    const paid = [
      await makeDemand(client, { confirmed: true }, ahead),
      await makeDemand(client, { confirmed: true }, other),
    ];
    const ended = await Promise.all(paid.map(({ id }) => settled(client, id)));
    expect(ended.map(({ attributes }) => daysAhead(attributes.succeeded_at))).toEqual([10, 0]);
    const slugs = await eventually(
      async () => receiver.received.map(({ body }) => JSON.parse(body)),
      ({ length }) => length >= 6,
    );
    expect(slugs.length).toBeGreaterThanOrEqual(6);
    const { body } = await client.get('/v2/payment_demands');
    expect(body.data).toHaveLength(4);
  });

  it('is covered by a drain, including charges due in its time only', async () => {
    const client = await newMerchant();
    const own = await newPayer(client);
    await pass(client, await makeClock(client, own.payer), 10 * DAY_SECONDS);
    const { id } = await makeSubscription(client, { confirmed: true }, own);
    const drained = async () => (await client.get('/sandbox/drain?timeout=30')).status;
    expect(await drained()).toBe(204);
    const payment_subscription = { type: 'payment_subscriptions', id };
    const change = await client.make(
      'subscription_changes',
      { amount_cents: 9000 },
      { payment_subscription },
    );
    expect(await drained()).toBe(204);
    const charge = change.relationships.payment_demand?.data as ResourceObject;
    expect((await again(client, charge)).attributes.status).toBe('succeeded');
  });

  it('starts at the merchant’s time, and stays when that advances', async () => {
    const client = await newMerchant();
    const clock = await makeClock(client);
    await pass(client, clock, 10 * DAY_SECONDS);
    const own = await newPayer(client);
    const { attributes } = await makeClock(client, own.payer);
    expect(attributes.ahead_seconds).toBe(10 * DAY_SECONDS);
    const held = await hold(client, own);
    await pass(client, clock, 30 * DAY_SECONDS);
    expect((await again(client, held)).attributes.status).toBe('authorised');
    const { id } = await makeDemand(client, {}, own);
    expect(daysAhead((await client.fetch('payment_demands', id)).attributes.created_at)).toBe(10);
  });
});
