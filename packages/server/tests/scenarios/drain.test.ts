import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import {
  DISPUTED_CENTS,
  makeAuthorisedPayment,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  waitForDispute,
} from '../support/make.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const api = useApi();

const drain = (client: Client, query = '?timeout=30') => client.get(`/sandbox/drain${query}`);

const readStatus = async ({ type, id }: ResourceObject): Promise<string> =>
  (await api.client.fetch(type, id)).attributes.status;

const makePayment = async (metadata: object = {}) =>
  makeDemand(api.client, { confirmed: true, metadata }, await makeParties(api.client));

/** A merchant's slow payment, which lasts for as long as most of these tests, and drains during it. */
async function drainDuringSlowPayment() {
  const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
  const attributes = { confirmed: true, metadata: { simulate: 'slow' } };
  const payment = await makeDemand(client, attributes, await makeParties(client));
  const [ownDrain, otherDrain] = [
    await drain(client, '?timeout=0'),
    await drain(api.client, '?timeout=0'),
  ];
  return { client, payment, ownDrain, otherDrain };
}
let slowDrains: Awaited<ReturnType<typeof drainDuringSlowPayment>>;
beforeAll(async () => {
  slowDrains = await drainDuringSlowPayment();
});

describe('a drain of the sandbox', () => {
  it('answers when the requested work is done', async () => {
    const paidPayment = await makeCapturedPayment(api.client);
    const payment = await makePayment();
    const refund = await makeRefund(api.client, paidPayment);
    const { status, body } = await drain(api.client);
    expect([status, body]).toEqual([204, undefined]);
    expect([await readStatus(payment), await readStatus(refund)]).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });

  it('waits for disputes, their decisions, and balances', async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const amount_cents = DISPUTED_CENTS;
    const { id } = await makeDemand(
      client,
      { confirmed: true, amount_cents },
      await makeParties(client),
    );
    const readBalance = async () => (await client.get('/v2/balances')).body.data[0].attributes;
    expect((await drain(client)).status).toBe(204);
    expect((await client.fetch('payment_demands', id)).attributes.status).toBe('disputed');
    expect(await readBalance()).toMatchObject({ disputed_cents: amount_cents });
    const dispute = await waitForDispute(client, id);
    await client.send('PATCH', `/v2/disputes/${dispute.id}/accept`);
    expect((await drain(client)).status).toBe(204);
    expect((await client.fetch('disputes', dispute.id)).attributes.status).toBe('lost');
    expect(await readBalance()).toMatchObject({ disputed_cents: 0 });
  });

  it('does not wait for lost responses and holds', async () => {
    const payment = await makePayment({ simulate: 'late_approval' });
    const hold = await makeAuthorisedPayment(api.client);
    expect((await drain(api.client)).status).toBe(204);
    expect([await readStatus(payment), await readStatus(hold)]).toEqual([
      'processing',
      'authorised',
    ]);
  });

  it('waits for deliveries, and not for their retries', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.makeKey());
    await using receiver = await startReceiver({ '/good': () => 200, '/bad': () => 500 });
    const events = ['transaction.payment_demands.succeeded'];
    for (const path of ['/good', '/bad']) {
      await client.make('webhook_subscriptions', { url: receiver.origin + path, events });
    }
    await makeDemand(client, { confirmed: true }, await makeParties(client));
    expect((await drain(client)).status).toBe(204);
    expect([receiver.requestsTo('/good').length, receiver.requestsTo('/bad').length]).toEqual([
      1, 1,
    ]);
  });

  it.each(['?timeout=31', '?timeout=-1', '?timeout=soon', '?timeout=1&timeout=2'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await drain(api.client, query);
      expect([status, body.errors?.[0]?.source]).toEqual([422, { parameter: 'timeout' }]);
    },
  );

  it('needs a secret sandbox key that may read payments', async () => {
    const merchant = await api.fixtures.getDemoMerchant();
    const limitedKey = await merchant.makeKey({ permissions: ['consumer.customers.read'] });
    const keys = [
      ['live', api.stack.credentials.live.secret_key, 403],
      ['browser', api.stack.credentials.sandbox.publishable_key, 403],
      ['limited', limitedKey, 403],
      ['unknown', 'ept_sandbox_s0', 401],
    ] as const;
    for (const [name, key, expected] of keys) {
      const { status } = await drain(api.as(key), '?timeout=0');
      expect([name, status]).toEqual([name, expected]);
    }
  });

  it('covers one merchant, reports open work at its timeout, and otherwise waits for it', async () => {
    const { client, payment, ownDrain, otherDrain } = slowDrains;
    expect(otherDrain.status).toBe(204);
    expect([ownDrain.status, ownDrain.body]).toEqual([200, { open: { payment_demands: 1 } }]);
    expect((await drain(client)).status).toBe(204);
    const { attributes } = await client.fetch('payment_demands', payment.id);
    expect(attributes.status).toBe('succeeded');
  });
});
