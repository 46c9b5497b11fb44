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
  waitForLetters,
  waitForOutcome,
} from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';
import { advanceAndWait, DAY_SECONDS, makeClock } from '../support/sandbox-clocks.ts';
import { waitUntilDrained } from '../support/story-clock.ts';

const api = useApi();

const newMerchant = async (columns: Record<string, string> = {}): Promise<Client> =>
  api.as(await (await api.fixtures.makeMerchant(columns)).makeKey());

const reload = ({ id }: { id: string }, client: Client): Promise<ResourceObject> =>
  client.fetch('payment_subscriptions', id);

const chargesOf = async ({ id }: { id: string }, client: Client): Promise<ResourceObject[]> =>
  (await client.get(`/v2/payment_demands?filter[payment_subscription]=${id}`)).body.data;

/** A subscription with a paid first charge. */
async function paidFor(client: Client, attributes: object = {}): Promise<ResourceObject> {
  const made = await makePaidSubscription(client, attributes);
  const [charge] = await chargesOf(made, client);
  await waitForOutcome(client, charge?.id ?? '');
  return reload(made, client);
}

const fetchPage = (path: string): Promise<PageAnswer> => getPage(api.stack, path);

/** The form token of the card page. */
const grantIn = (text: string): string => /data-grant="([^"]+)"/.exec(text)?.[1] ?? '';
const grantOf = async (path: string): Promise<string> =>
  grantIn((await fetchPage(`${path}/card`)).text);

/** Enters a card in the form of the customer's page, and submits the page. */
async function changeCard(path: string, id: string, card: string): Promise<PageAnswer> {
  const { text } = await fetchPage(`${path}/card`);
  const form = await mountForm(api.stack, id, grantIn(text));
  const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', await sealCard(form, card)));
  expect(answer.result).toBe('verified');
  return submitForm(api.stack, path, 'change_card', { page: text });
}

/** Cancels a subscription to its period's end on the customer's page. */
async function cancelLater(client: Client, made: ResourceObject): Promise<void> {
  const path = await createCustomerLink(client, made);
  const { text } = await fetchPage(`${path}/cancel`);
  expect((await submitForm(api.stack, path, 'cancel_later', { page: text })).status).toBe(303);
}

/** Checks that a subscription ended at the customer's request, and that its page says so. */
async function hasEnded(client: Client, ending: ResourceObject): Promise<void> {
  const { attributes } = await reload(ending, client);
  expect([attributes.status, attributes.end_reason]).toEqual(['cancelled', 'customer']);
  expect(await chargesOf(ending, client)).toHaveLength(1);
  const { text } = await fetchPage(await createCustomerLink(client, ending));
  expect(text).toContain('Nothing more is charged.');
  expect(text).not.toContain('<button');
}

/** Checks that a change's receipt shows the charge for the rest of the period, and the credit. */
async function showsReceipt(client: Client, made: ResourceObject): Promise<void> {
  const change = await makeChange(client, made);
  const charge = change.relationships.payment_demand?.data as ResourceObject;
  await waitForOutcome(client, charge.id);
  const { text } = await fetchPage(
    `${await createCustomerLink(client, made)}/receipts/${charge.id}`,
  );
  const amounts = Object.fromEntries(
    [...text.matchAll(/<th scope="row"[^>]*>([^<]+)<\/th><td><bdi>([^<]+)</g)].map(
      ([, name, amount = '']) => [name, Math.round(100 * Number(amount.replace(/[$,]/g, '')))],
    ),
  );
  const { 'Rest of the period': rest = 0, 'Credit for unused time': unused = 0, Total } = amounts;
  expect(Object.keys(amounts)).toEqual(['Rest of the period', 'Credit for unused time', 'Total']);
  expect([rest + unused, Total]).toEqual([Total, change.attributes.charged_cents]);
  expect([unused < 0, rest > 0]).toEqual([true, true]);
  const [letter] = await waitForLetters(
    client,
    `filter[payment_demand]=${charge.id}`,
    ([first]) => first?.attributes.status === 'kept',
  );
  expect(letter?.attributes.text).toMatch(/^Rest of the period: .+\nCredit for unused time: -/m);
}

/** Opens a link and a form of a subscription now. The returned check is for ten days later, on the sandbox clock. */
async function openedEarly(client: Client, made: ResourceObject): Promise<() => Promise<void>> {
  const early = await createCustomerLink(client, made, { expires_in_seconds: DAY_SECONDS });
  const grant = await grantOf(early);
  const open = await mountForm(api.stack, made.id, grant);
  return async () => {
    expect((await fetchPage(early)).status).toBe(410);
    // Forms follow the system clock: a form that was opened before the advance is valid for its hour.
    for (const { session } of [open, await mountForm(api.stack, made.id, grant)]) {
      const form = await callPay(api.stack, `/frame/v1/status?session=${session}`);
      expect(form.status).toBe(200);
      const signed = Buffer.from(session.split('.')[1] ?? '', 'base64url')
        .toString()
        .split(' ');
      expect(Number(signed[5])).toBeLessThanOrEqual(systemClock().now() + seconds(MOUNT_SECONDS));
    }
    await showsReceipt(client, made);
    const { status, text } = await fetchPage(await createCustomerLink(client, made));
    const next = new Date(String((await reload(made, client)).attributes.next_billing_at));
    const day = next.toLocaleDateString('en', { dateStyle: 'long', timeZone: 'Asia/Tokyo' });
    expect([status, text.includes(`<bdi>${day}</bdi>`)]).toEqual([200, true]);
    expect(text.match(/>Paid</g)).toHaveLength(2);
    const [, payload = ''] =
      /_g([\w-]+)\./.exec(await grantOf(await createCustomerLink(client, made))) ?? [];
    const ends = Number(Buffer.from(payload, 'base64url').toString().split(' ')[3]);
    expect(ends).toBeLessThanOrEqual(systemClock().now() + seconds(MOUNT_SECONDS));
  };
}

describe('a failed renewal', () => {
  it('is shown to the customer at the sandbox clock, unless the subscription ended, and paid by the card that the customer enters', async () => {
    const client = await newMerchant();
    const clock = await makeClock(client);
    const made = await paidFor(client);
    const ending = await paidFor(client);
    for (const each of [ending, made]) await cancelLater(client, each);
    await submitForm(api.stack, await createCustomerLink(client, made), 'keep');
    // The first request decides who asked, whatever is written later.
    await patch({ ...api, client }, ending, { canceled_at_period_end: true });
    const payment_method = await makeMethod(client, 'insufficient_funds');
    await patch({ ...api, client }, made, {}, { payment_method });
    const inTokyo = await paidFor(client, { amount_cents: 2500, billing_timezone: 'Asia/Tokyo' });
    const showsTenDaysLater = await openedEarly(client, inTokyo);
    await advanceAndWait(client, clock, 10 * DAY_SECONDS);
    await showsTenDaysLater();
    await advanceAndWait(client, clock, 21.5 * DAY_SECONDS);
    await hasEnded(client, ending);

    const path = await createCustomerLink(client, made);
    const { text } = await fetchPage(path);
    expect(text).toContain('Change the card, and the payment is tried again.');
    expect(text).toMatch(/The payment is tried again on <bdi>\w+ \d+, \d+<\/bdi>/);
    expect(text).not.toContain('Next payment');

    const answer = await changeCard(path, made.id, 'mastercard');
    expect(await readNoticeAfter(api.stack, answer)).toBe('The card was changed.');
    const { attributes, relationships } = await reload(made, client);
    expect(attributes).toMatchObject({
      status: 'active',
      failure_reason: null,
      payer_timezone: made.attributes.payer_timezone,
    });
    const charges = await chargesOf(made, client);
    expect(charges.map((charge) => charge.attributes.status)).toEqual(['succeeded', 'succeeded']);
    const cards = charges.map((charge) => charge.relationships.payment_method?.data);
    expect(cards).toEqual([
      relationships.payment_method?.data,
      made.relationships.payment_method?.data,
    ]);
    expect(cards[0]).not.toEqual(cards[1]);
    const { body } = await client.get(`/v2/events?filter[resource_id]=${made.id}`);
    const ecis = body.data
      .filter((event: ResourceObject) => event.attributes.slug === 'updated')
      .map((event: ResourceObject) => event.attributes.data.attributes.eci);
    expect(ecis).toContain('02');
    expect((await fetchPage(path)).text).toContain('Next payment');
  });

  it('is not retried with the declined card', async () => {
    const client = await newMerchant();
    const parties = await makeParties(client, 'insufficient_funds');
    const made = await makeSubscription(client, { confirmed: true }, parties);
    const [charge] = await chargesOf(made, client);
    expect((await waitForOutcome(client, charge?.id ?? '')).attributes.status).toBe('failed');
    const path = await createCustomerLink(client, made);
    const { text } = await fetchPage(`${path}/card`);
    // Simulates another change of the subscription since the page was rendered.
    for (const fields of [{}, { version: 'another' }]) {
      const answer = await submitForm(api.stack, path, 'change_card', { page: text, fields });
      expect(answer.status).toBe(303);
      const charges = await chargesOf(made, client);
      expect(charges.map(({ attributes }) => attributes.status)).toEqual(['failed']);
    }
  });
});

describe('a card that was reported lost', () => {
  it('is recognised however often it is entered, and not sent again', async () => {
    const client = await newMerchant({ customers_may: '["change_card"]' });
    const clock = await makeClock(client);
    const parties = await makeParties(client, 'lost_card');
    const made = await makeSubscription(client, { confirmed: true }, parties);
    await waitUntilDrained(client);
    const enter = async (card: string): Promise<unknown[]> => {
      const path = await createCustomerLink(client, made);
      await changeCard(path, made.id, card);
      await waitUntilDrained(client);
      const [charge] = await chargesOf(made, client);
      const { body } = await client.get(`/v2/events?filter[resource_id]=${charge?.id}`);
      const { status, next_try_at } = (await reload(made, client)).attributes;
      const isOffered = (await fetchPage(path)).text.includes('/resume"');
      return [status, next_try_at, body.data[0].attributes.slug, body.data.length, isOffered];
    };
    expect(await enter('lost_card')).toEqual(['active', null, 'failed', 2, false]);
    await advanceAndWait(client, clock, 15 * DAY_SECONDS);
    expect(await enter('lost_card')).toEqual(['paused', null, 'failed', 2, false]);
    expect(await enter('visa')).toEqual(['paused', null, 'failed', 2, true]);
  });
});

describe('a card from the customer’s page', () => {
  it('is refused if the links were revoked during entry', async () => {
    const client = await newMerchant();
    const made = await paidFor(client);
    const form = await mountForm(
      api.stack,
      made.id,
      await grantOf(await createCustomerLink(client, made)),
    );
    await client.send('PATCH', `/v2/payment_subscriptions/${made.id}/revoke_customer_links`);
    const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', await sealCard(form)));
    expect([answer.result, answer.detail.code]).toEqual(['error', 'payment_closed']);
  });

  it('is accepted for its own subscription only, and no publishable key puts one on an active subscription', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const client = api.as(await merchant.makeKey());
    const [one, other] = [await paidFor(client), await paidFor(client)];
    const grant = await grantOf(await createCustomerLink(client, one));
    await expect(mountForm(api.stack, other.id, grant)).rejects.toThrow('the page holds no form');
    const form = await mountForm(api.stack, one.id, await merchant.makeKey({ context: 'browser' }));
    const answer = answerOf(await callPay(api.stack, '/frame/v1/verify', await sealCard(form)));
    expect([answer.result, answer.detail.code]).toEqual(['error', 'payment_closed']);
  });
});
