import { describe, expect, it } from 'vitest';
import { MOUNT_SECONDS } from '../../src/features/checkout/session.ts';
import { seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import {
  createCustomerLink,
  getPage,
  makePaidSubscription,
  type PageAnswer,
  readNoticeAfter,
  submitForm,
} from '../support/customer-page.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import {
  makeChange,
  makeMethod,
  makeParties,
  makeSubscription,
  waitForEmails,
  waitForOutcome,
} from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';
import { advanceAndWait, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';
import { waitUntilDrained } from '../support/story-clock.ts';

const api = useApi();

const createMerchantClient = async (columns: Record<string, string> = {}): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant(columns)).makeKey());

const reload = ({ id }: { id: string }, client: Client): Promise<ResourceObject> =>
  client.fetch('payment_subscriptions', id);

const listCharges = async ({ id }: { id: string }, client: Client): Promise<ResourceObject[]> =>
  (await client.get(`/v2/payment_demands?filter[payment_subscription]=${id}`)).body.data;

/** A subscription with a paid first charge. */
async function startPaidSubscription(
  client: Client,
  attributes: object = {},
): Promise<ResourceObject> {
  const subscription = await makePaidSubscription(client, attributes);
  const [charge] = await listCharges(subscription, client);
  await waitForOutcome(client, charge?.id ?? '');
  return reload(subscription, client);
}

const fetchPage = (path: string): Promise<PageAnswer> => getPage(api.stack, path);

/** The form token of the card page. */
const formTokenIn = (text: string): string => /data-grant="([^"]+)"/.exec(text)?.[1] ?? '';
const fetchFormToken = async (path: string): Promise<string> =>
  formTokenIn((await fetchPage(`${path}/card`)).text);

/** Enters a card in the form of the customer's page, and submits the page. */
async function changeCard(path: string, id: string, card: string): Promise<PageAnswer> {
  const { text } = await fetchPage(`${path}/card`);
  const form = await mountForm(api.stack, id, formTokenIn(text));
  const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', await sealCard(form, card)));
  expect(answer.result).toBe('verified');
  return submitForm(api.stack, path, 'change_card', { page: text });
}

/** Cancels a subscription to its period's end on the customer's page. */
async function cancelLater(client: Client, subscription: ResourceObject): Promise<void> {
  const path = await createCustomerLink(client, subscription);
  const { text } = await fetchPage(`${path}/cancel`);
  expect((await submitForm(api.stack, path, 'cancel_later', { page: text })).status).toBe(303);
}

/** Checks that a subscription ended at the customer's request, and that its page says so. */
async function expectEnded(client: Client, endingSubscription: ResourceObject): Promise<void> {
  const { attributes } = await reload(endingSubscription, client);
  expect([attributes.status, attributes.end_reason]).toEqual(['cancelled', 'customer']);
  expect(await listCharges(endingSubscription, client)).toHaveLength(1);
  const { text } = await fetchPage(await createCustomerLink(client, endingSubscription));
  expect(text).toContain('There are no further payments.');
  expect(text).not.toContain('<button');
}

/** Checks that a change's receipt shows the charge for the rest of the period, and the credit. */
async function expectReceipt(client: Client, subscription: ResourceObject): Promise<void> {
  const change = await makeChange(client, subscription);
  const charge = change.relationships.payment_demand?.data as ResourceObject;
  await waitForOutcome(client, charge.id);
  const { text } = await fetchPage(
    `${await createCustomerLink(client, subscription)}/receipts/${charge.id}`,
  );
  const amounts = Object.fromEntries(
    [...text.matchAll(/<th scope="row"[^>]*>([^<]+)<\/th><td><bdi>([^<]+)</g)].map(
      ([, name, amount = '']) => [name, Math.round(100 * Number(amount.replace(/[$,]/g, '')))],
    ),
  );
  const {
    'Rest of the period': restCents = 0,
    'Credit for unused time': unusedCents = 0,
    Total,
  } = amounts;
  expect(Object.keys(amounts)).toEqual(['Rest of the period', 'Credit for unused time', 'Total']);
  expect([restCents + unusedCents, Total]).toEqual([Total, change.attributes.charged_cents]);
  expect([unusedCents < 0, restCents > 0]).toEqual([true, true]);
  const [email] = await waitForEmails(
    client,
    `filter[payment_demand]=${charge.id}`,
    ([firstEmail]) => firstEmail?.attributes.status === 'kept',
  );
  expect(email?.attributes.text).toMatch(/^Rest of the period: .+\nCredit for unused time: -/m);
}

/** Opens a link and a form of a subscription now. The returned check is for ten days later, on the sandbox clock. */
async function prepareEarlyVisit(
  client: Client,
  subscription: ResourceObject,
): Promise<() => Promise<void>> {
  const earlyPath = await createCustomerLink(client, subscription, {
    expires_in_seconds: DAY_SECONDS,
  });
  const formToken = await fetchFormToken(earlyPath);
  const openForm = await mountForm(api.stack, subscription.id, formToken);
  return async () => {
    expect((await fetchPage(earlyPath)).status).toBe(410);
    // Forms follow the system clock: a form that was opened before the advance is valid for its hour.
    for (const { session } of [openForm, await mountForm(api.stack, subscription.id, formToken)]) {
      const form = await callPay(api.stack, `/frame/v1/status?session=${session}`);
      expect(form.status).toBe(200);
      const sessionFields = Buffer.from(session.split('.')[1] ?? '', 'base64url')
        .toString()
        .split(' ');
      expect(Number(sessionFields[5])).toBeLessThanOrEqual(
        systemClock().now() + seconds(MOUNT_SECONDS),
      );
    }
    await expectReceipt(client, subscription);
    const { status, text } = await fetchPage(await createCustomerLink(client, subscription));
    const nextBilling = new Date(
      String((await reload(subscription, client)).attributes.next_billing_at),
    );
    const day = nextBilling.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
    expect([status, text.includes(`<bdi>${day}</bdi>`)]).toEqual([200, true]);
    expect(text.match(/>Paid</g)).toHaveLength(2);
    const [, payload = ''] =
      /_g([\w-]+)\./.exec(await fetchFormToken(await createCustomerLink(client, subscription))) ??
      [];
    const expiresAt = Number(Buffer.from(payload, 'base64url').toString().split(' ')[3]);
    expect(expiresAt).toBeLessThanOrEqual(systemClock().now() + seconds(MOUNT_SECONDS));
  };
}

describe('a failed renewal', () => {
  it('is shown to the customer at the sandbox clock, unless the subscription ended, and paid by the card that the customer enters', async () => {
    const client = await createMerchantClient();
    const clock = await makeClock(client);
    const subscription = await startPaidSubscription(client);
    const endingSubscription = await startPaidSubscription(client);
    for (const eachSubscription of [endingSubscription, subscription])
      await cancelLater(client, eachSubscription);
    await submitForm(api.stack, await createCustomerLink(client, subscription), 'keep');
    // The first request decides the end reason, which later requests do not change.
    await patch({ ...api, client }, endingSubscription, { canceled_at_period_end: true });
    const payment_method = await makeMethod(client, 'insufficient_funds');
    await patch({ ...api, client }, subscription, {}, { payment_method });
    const tokyoSubscription = await startPaidSubscription(client, {
      amount_cents: 2500,
      billing_timezone: 'Asia/Tokyo',
    });
    const expectTenDaysLater = await prepareEarlyVisit(client, tokyoSubscription);
    await advanceAndWait(client, clock, 10 * DAY_SECONDS);
    await expectTenDaysLater();
    await advanceAndWait(client, clock, 21.5 * DAY_SECONDS);
    await expectEnded(client, endingSubscription);

    const path = await createCustomerLink(client, subscription);
    const { text } = await fetchPage(path);
    expect(text).toContain('Change the card to retry the payment.');
    expect(text).toMatch(/The payment is retried on <bdi>\w+ \d+, \d+<\/bdi>/);
    expect(text).not.toContain('Next payment');

    const answer = await changeCard(path, subscription.id, 'mastercard');
    expect(await readNoticeAfter(api.stack, answer)).toBe('The card was changed.');
    const { attributes, relationships } = await reload(subscription, client);
    expect(attributes).toMatchObject({
      status: 'active',
      failure_reason: null,
      payer_timezone: subscription.attributes.payer_timezone,
    });
    const charges = await listCharges(subscription, client);
    expect(charges.map((charge) => charge.attributes.status)).toEqual(['succeeded', 'succeeded']);
    const methods = charges.map((charge) => charge.relationships.payment_method?.data);
    expect(methods).toEqual([
      relationships.payment_method?.data,
      subscription.relationships.payment_method?.data,
    ]);
    expect(methods[0]).not.toEqual(methods[1]);
    const { body } = await client.get(`/v2/events?filter[resource_id]=${subscription.id}`);
    const ecis = body.data
      .filter((event: ResourceObject) => event.attributes.slug === 'updated')
      .map((event: ResourceObject) => event.attributes.data.attributes.eci);
    expect(ecis).toContain('02');
    expect((await fetchPage(path)).text).toContain('Next payment');
  });

  it('is not retried with the declined card', async () => {
    const client = await createMerchantClient();
    const parties = await makeParties(client, 'insufficient_funds');
    const subscription = await makeSubscription(client, { confirmed: true }, parties);
    const [charge] = await listCharges(subscription, client);
    expect((await waitForOutcome(client, charge?.id ?? '')).attributes.status).toBe('failed');
    const path = await createCustomerLink(client, subscription);
    const { text } = await fetchPage(`${path}/card`);
    // Simulates another change of the subscription since the page was rendered.
    for (const fields of [{}, { version: 'another' }]) {
      const answer = await submitForm(api.stack, path, 'change_card', { page: text, fields });
      expect(answer.status).toBe(303);
      const charges = await listCharges(subscription, client);
      expect(charges.map(({ attributes }) => attributes.status)).toEqual(['failed']);
    }
  });
});

describe('a card that was reported lost', () => {
  it('is recognised however often it is entered, and not sent again', async () => {
    const client = await createMerchantClient({ customers_may: '["change_card"]' });
    const clock = await makeClock(client);
    const parties = await makeParties(client, 'lost_card');
    const subscription = await makeSubscription(client, { confirmed: true }, parties);
    await waitUntilDrained(client);
    const enterCard = async (card: string): Promise<unknown[]> => {
      const path = await createCustomerLink(client, subscription);
      await changeCard(path, subscription.id, card);
      await waitUntilDrained(client);
      const [charge] = await listCharges(subscription, client);
      const { body } = await client.get(`/v2/events?filter[resource_id]=${charge?.id}`);
      const { status, next_try_at } = (await reload(subscription, client)).attributes;
      const isOffered = (await fetchPage(path)).text.includes('/resume"');
      return [status, next_try_at, body.data[0].attributes.slug, body.data.length, isOffered];
    };
    expect(await enterCard('lost_card')).toEqual(['active', null, 'failed', 2, false]);
    await advanceAndWait(client, clock, 15 * DAY_SECONDS);
    expect(await enterCard('lost_card')).toEqual(['paused', null, 'failed', 2, false]);
    expect(await enterCard('visa')).toEqual(['paused', null, 'failed', 2, true]);
  });
});

describe('a card from the customer’s page', () => {
  it('is refused if the links were revoked during entry', async () => {
    const client = await createMerchantClient();
    const subscription = await startPaidSubscription(client);
    const form = await mountForm(
      api.stack,
      subscription.id,
      await fetchFormToken(await createCustomerLink(client, subscription)),
    );
    await client.send(
      'PATCH',
      `/v2/payment_subscriptions/${subscription.id}/revoke_customer_links`,
    );
    const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', await sealCard(form)));
    expect([answer.result, answer.detail.code]).toEqual(['error', 'payment_closed']);
  });

  it('is accepted for its own subscription only, and no publishable key puts one on an active subscription', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.makeKey());
    const [subscription, otherSubscription] = [
      await startPaidSubscription(client),
      await startPaidSubscription(client),
    ];
    const formToken = await fetchFormToken(await createCustomerLink(client, subscription));
    await expect(mountForm(api.stack, otherSubscription.id, formToken)).rejects.toThrow(
      'the page holds no form',
    );
    const form = await mountForm(
      api.stack,
      subscription.id,
      await merchant.makeKey({ context: 'browser' }),
    );
    const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', await sealCard(form)));
    expect([answer.result, answer.detail.code]).toEqual(['error', 'payment_closed']);
  });
});
