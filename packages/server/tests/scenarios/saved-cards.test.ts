import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Answer, documentOf, type Relations, type ResourceObject } from '../support/client.ts';
import { callPay, mountForm, sealCard } from '../support/form.ts';
import {
  FAR_AHEAD,
  makeAddress,
  makeCustomer,
  makeDemand,
  makeMethod,
  makeParties,
  makeSubscription,
  purchase,
  waitForOutcome,
} from '../support/make.ts';

const api = useApi();

const createPayment = (attributes: object, relations: Relations): Promise<Answer> =>
  api.client.send(
    'POST',
    '/v2/payment_demands',
    documentOf('payment_demands', { ...purchase, ...attributes }, relations),
  );

const confirm = ({ id }: ResourceObject): Promise<Answer> =>
  api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`);

/** Charges a card and returns the outcome. */
async function charge(relations: Relations, attributes: object = {}) {
  const { id } = await makeDemand(api.client, { confirmed: true, ...attributes }, relations);
  return (await waitForOutcome(api.client, id)).attributes;
}

const refusalsOf = ({ status, body }: Answer) => [
  status,
  body.errors?.map(({ code, source }) => [code, source?.pointer]),
];

const CARD = '/data/relationships/payment_method';

describe('a card from the form', () => {
  let savedRelations: Relations;
  beforeAll(async () => {
    const payer = await makeCustomer(api.client);
    const billing_address = await makeAddress(api.client, {}, { customer: payer });
    const payment = await makeDemand(api.client, {}, { payer, billing_address });
    const key = api.stack.credentials.sandbox.publishable_key;
    const form = await mountForm(api.stack, payment.id, key);
    await callPay(api.stack, form.verify_url, await sealCard(form));
    await confirm(payment);
    const paidPayment = await waitForOutcome(api.client, payment.id);
    const method = paidPayment.relationships.payment_method?.data as { id: string; type: string };
    savedRelations = { payer, billing_address, payment_method: method };
    expect(paidPayment.attributes).toMatchObject({ status: 'succeeded', cvc2_check: 'match' });
  });

  it('is charged again for the same customer, without its security code', async () => {
    expect(await charge(savedRelations)).toMatchObject({
      status: 'succeeded',
      cvc2_check: 'unprocessed',
    });
  });

  it('is charged without the customer present, with the network’s id of the first payment', async () => {
    expect(await charge(savedRelations, { initiator: 'merchant' })).toMatchObject({
      status: 'succeeded',
      initiator: 'merchant',
      cvc2_check: 'unprocessed',
    });
  });
});

describe('a merchant-initiated payment', () => {
  it('needs an earlier successful payment by the present customer', async () => {
    const parties = await makeParties(api.client);
    const merchantInitiated = { confirmed: true, initiator: 'merchant' };
    expect(refusalsOf(await createPayment(merchantInitiated, parties))).toEqual([
      422,
      [['card_not_used_before', CARD]],
    ]);
    const intent = await makeDemand(api.client, { initiator: 'merchant' }, parties);
    expect(refusalsOf(await confirm(intent))).toEqual([422, [['card_not_used_before', CARD]]]);
    expect((await charge(parties)).status).toBe('succeeded');
    const answer = await confirm(intent);
    expect([answer.status, answer.body.data.attributes.status]).toEqual([200, 'pending']);
    expect((await waitForOutcome(api.client, intent.id)).attributes.status).toBe('succeeded');
  });

  it('is refused for a card that was only declined', async () => {
    const parties = await makeParties(api.client, 'insufficient_funds');
    expect((await charge(parties)).status).toBe('failed');
    const answer = await createPayment({ confirmed: true, initiator: 'merchant' }, parties);
    expect(refusalsOf(answer)).toEqual([422, [['card_not_used_before', CARD]]]);
  });

  it('needs no 3-D Secure even if the merchant requires it', async () => {
    const merchant = await api.fixtures.makeMerchant({ threeds_sandbox: 'required_or_asserted' });
    const client = api.as(await merchant.makeKey());
    const parties = await makeParties(client);
    const authenticatedAttributes = {
      confirmed: true,
      threeds_version: '2.2.0',
      threeds_status: 'A',
      eci: '06',
      directory_transaction_eid: randomUUID(),
      acs_transaction_eid: randomUUID(),
    };
    const firstPayment = await makeDemand(client, authenticatedAttributes, parties);
    expect((await waitForOutcome(client, firstPayment.id)).attributes.status).toBe('succeeded');
    const laterPayment = await makeDemand(
      client,
      { confirmed: true, initiator: 'merchant' },
      parties,
    );
    expect((await waitForOutcome(client, laterPayment.id)).attributes.status).toBe('succeeded');
  });
});

describe("a customer's card", () => {
  const mismatch = [422, [['customer_mismatch', CARD]]];

  it('is refused for any other payer', async () => {
    const parties = await makeParties(api.client);
    const otherCustomer = await makeCustomer(api.client);
    expect(
      refusalsOf(await createPayment({ confirmed: true }, { ...parties, payer: otherCustomer })),
    ).toEqual(mismatch);
    const intent = await makeDemand(api.client, {}, parties);
    const update = (relations: Relations) =>
      api.client.send(
        'PATCH',
        `/v2/payment_demands/${intent.id}`,
        documentOf('payment_demands', {}, relations, intent.id),
      );
    expect(refusalsOf(await update({ payer: otherCustomer }))).toEqual(mismatch);
    const otherMethod = await makeMethod(api.client, 'visa', { customer: otherCustomer });
    expect(refusalsOf(await update({ payment_method: otherMethod }))).toEqual(mismatch);
    expect((await update({ payer: otherCustomer, payment_method: otherMethod })).status).toBe(200);
  });

  it("is refused on another payer's subscription, and confirms none", async () => {
    const parties = await makeParties(api.client);
    const otherCustomer = await makeCustomer(api.client);
    const otherMethod = await makeMethod(api.client, 'visa', { customer: otherCustomer });
    const attributes = { confirmed: true, billing_cycle_anchor_at: FAR_AHEAD };
    const activeSubscription = await makeSubscription(api.client, attributes, parties);
    const intent = await makeSubscription(api.client, {}, parties);
    const update = ({ id }: ResourceObject, relations: Relations) => {
      const document = documentOf('payment_subscriptions', {}, relations, id);
      return api.client.send('PATCH', `/v2/payment_subscriptions/${id}`, document);
    };
    for (const subscription of [activeSubscription, intent]) {
      expect(refusalsOf(await update(subscription, { payment_method: otherMethod }))).toEqual(
        mismatch,
      );
    }
    expect(refusalsOf(await update(intent, { payer: otherCustomer }))).toEqual(mismatch);
    await api.fixtures.db.query(
      'update payment_subscriptions set payment_method_id = $2 where id = $1',
      [intent.id, otherMethod.id],
    );
    const confirmPath = `/v2/payment_subscriptions/${intent.id}/confirm`;
    expect(refusalsOf(await api.client.send('PATCH', confirmPath))).toEqual(mismatch);
    expect((await update(intent, { payer: otherCustomer })).status).toBe(200);
  });

  it('is charged for any payer if it has no owner', async () => {
    const parties = await makeParties(api.client);
    const payment_method = await makeMethod(api.client);
    expect((await charge({ ...parties, payment_method })).status).toBe('succeeded');
  });

  it('without an owner is charged off-session only for payers who have paid with it', async () => {
    const parties = {
      ...(await makeParties(api.client)),
      payment_method: await makeMethod(api.client),
    };
    const payer = await makeCustomer(api.client);
    const merchantInitiated = { confirmed: true, initiator: 'merchant' };
    expect((await charge(parties)).status).toBe('succeeded');
    const answer = await createPayment(merchantInitiated, { ...parties, payer });
    expect(refusalsOf(answer)).toEqual([422, [['card_not_used_before', CARD]]]);
    const outcomes = await Promise.all([
      charge(parties, merchantInitiated),
      charge({ ...parties, payer }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect((await charge({ ...parties, payer }, merchantInitiated)).status).toBe('succeeded');
  });

  it('is not charged if it belongs to another customer by the time of sending', async () => {
    const parties = await makeParties(api.client);
    const intent = await makeDemand(api.client, {}, parties);
    await setCustomer(parties.payment_method?.id as string, await makeCustomer(api.client));
    await confirm(intent);
    expect((await waitForOutcome(api.client, intent.id)).attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'card_not_verified',
    });
  });
});

const setCustomer = (methodId: string, { id }: ResourceObject) =>
  api.fixtures.db.query('update payment_methods set customer_id = $2 where id = $1', [
    methodId,
    id,
  ]);
