import { readFileSync } from 'node:fs';
import { type Locale, locales } from '@florin/contract/locales.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Answer, type Client, documentOf, type ResourceObject } from '../support/client.ts';
import { createCustomerLink, getPage } from '../support/customer-page.ts';
import { callPay, mountForm, sealCard } from '../support/form.ts';
import {
  beginPayment,
  browse,
  enterCard,
  type LinkPayment,
  pathOf,
  payerDetails,
  submitConfirmation,
} from '../support/link-visit.ts';
import {
  eventually,
  makeCardlessPayment,
  makeCustomer,
  makeLink,
  makeSubscription,
  newestOf,
  purchase,
  recurringPurchase,
  waitForOutcome,
} from '../support/make.ts';
import { operatorOf } from '../support/operator.ts';
import { simulateLive } from '../support/simulated-live.ts';
import { createStoryClock } from '../support/story-clock.ts';

const clock = createStoryClock('2027-01-10T10:00:00Z');
let is_connected = true;
const api = useOwnStack({ config: { clock }, processors: simulateLive(() => is_connected) });

/** Records that were made while live mode had a processor. */
const earlierRecords = {} as {
  intent: ResourceObject;
  plan: ResourceObject;
  link: ResourceObject;
  spareLink: ResourceObject;
  sealedCard: object;
  linkPayment: LinkPayment;
  subscription: ResourceObject;
};

async function makeActiveSubscription(): Promise<ResourceObject> {
  const link = await makeLink(api.live, { billing_period: 'one_month' });
  const linkPayment = await beginPayment(api.stack, link);
  expect((await enterCard(linkPayment)).result).toBe('verified');
  expect(await submitConfirmation(linkPayment)).toBe(200);
  const [charge] = await waitForCharges(linkPayment.payment_id, 1);
  await waitForOutcome(api.live, charge?.id as string);
  return api.live.fetch('payment_subscriptions', linkPayment.payment_id);
}

const waitForCharges = (subscriptionId: string, count: number): Promise<ResourceObject[]> =>
  eventually<ResourceObject[]>(
    async () =>
      (await api.live.get(`/v2/payment_demands?filter[payment_subscription]=${subscriptionId}`))
        .body.data,
    ({ length }) => length >= count,
  );

beforeAll(async () => {
  earlierRecords.intent = await makeCardlessPayment(api.live);
  earlierRecords.plan = await makeSubscription(api.live);
  earlierRecords.link = await makeLink(api.live);
  earlierRecords.spareLink = await makeLink(api.live);
  const { publishable_key } = api.stack.credentials.live;
  earlierRecords.sealedCard = await sealCard(
    await mountForm(api.stack, earlierRecords.intent.id, publishable_key),
  );
  earlierRecords.linkPayment = await beginPayment(api.stack, earlierRecords.link);
  earlierRecords.subscription = await makeActiveSubscription();
  is_connected = false;
});

const readTexts = (tag: Locale): Readonly<Record<string, string>> => {
  const file = new URL(`../../src/features/checkout/pages/locales/${tag}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
};

const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [
  status,
  body?.errors?.[0]?.code,
];
const NO_PROCESSOR = [422, 'no_processor'];
const post = (client: Client, type: string, attributes: object, relations = {}) =>
  client.send('POST', `/v2/${type}`, documentOf(type, attributes, relations));
const callAction = ({ type, id }: ResourceObject, action: string) =>
  api.live.send('PATCH', `/v2/${type}/${id}/${action}`);

const linkAttributes = {
  title: 'Roses',
  amount_cents: 1200,
  amount_currency: 'USD',
  purchase_reference: 'roses',
};
const changeAttributes = { amount_cents: 5000 };
const requests: Readonly<Record<string, () => Promise<Answer>>> = {
  'an intent': () => post(api.live, 'payment_demands', purchase),
  'a payment': () => post(api.live, 'payment_demands', { ...purchase, confirmed: true }),
  'the confirmation of a payment': () => callAction(earlierRecords.intent, 'confirm'),
  'a plan': () => post(api.live, 'payment_subscriptions', recurringPurchase),
  'a subscription': () =>
    post(api.live, 'payment_subscriptions', { ...recurringPurchase, confirmed: true }),
  'the confirmation of a subscription': () => callAction(earlierRecords.plan, 'confirm'),
  'the change of a subscription': () =>
    post(api.live, 'subscription_changes', changeAttributes, {
      payment_subscription: earlierRecords.subscription,
    }),
  'a link': () => post(api.live, 'payment_links', linkAttributes),
};

/** Counts and the latest change of each table. */
const readStored = async (): Promise<unknown> => {
  const tables = [
    'payment_demands',
    'payment_subscriptions',
    'subscription_changes',
    'payment_links',
    'attempts',
    'idempotency_keys',
  ];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return api.fixtures.db.query(`select ${counts.join(', ')}`, []);
};

describe('live mode without a processor', () => {
  it.each(Object.keys(requests))('refuses %s, stores nothing and gives advice', async (name) => {
    const storedBefore = await readStored();
    const answer = await (requests[name] as () => Promise<Answer>)();
    expect(codeOf(answer)).toEqual(NO_PROCESSOR);
    expect(answer.body.errors?.[0]?.detail).toMatch(/sandbox key .*\/docs\/reference\/live-mode/);
    expect(await readStored()).toEqual(storedBefore);
  });

  it('serves everything else: customers, webhooks, keys, and earlier records', async () => {
    const { live } = api;
    await makeCustomer(live);
    const hook = { url: 'https://shop.example/hook', events: ['consumer.customers.created'] };
    expect((await post(live, 'webhook_subscriptions', hook)).status).toBe(201);
    const key = { name: 'Warehouse', context: 'secret' };
    expect((await post(live, 'merchant_tokens', key)).status).toBe(201);
    const spareLink = (await live.fetch(
      'payment_links',
      earlierRecords.spareLink.id,
    )) as ResourceObject;
    expect((await callAction(spareLink, 'expire')).body.data.attributes.status).toBe('expired');
  });

  it("is not enabled by the operator's approval, whose alert says so", async () => {
    const submitted_at = '2027-01-01T00:00:00Z';
    const merchant = await api.fixtures.makeMerchant({ active_at: null, submitted_at });
    const live = api.as(await merchant.makeKey({ mode: 'live' }));
    const createIntent = () => post(live, 'payment_demands', purchase);
    expect(codeOf(await createIntent())).toEqual([403, 'merchant_not_approved']);
    const approval = { reason: 'All is in order' };
    await operatorOf(api).send('POST', `/merchants/${merchant.id}/approval`, approval);
    expect(codeOf(await createIntent())).toEqual(NO_PROCESSOR);
    const alert = await newestOf(live, 'account_alerts');
    expect(alert.attributes.message).toContain('once a payment processor is connected');
  });

  it('does not affect the sandbox', async () => {
    expect((await post(api.client, 'payment_demands', purchase)).status).toBe(201);
    await makeLink(api.client);
  });
});

describe('a page for live cards without a processor', () => {
  const openForm = (query = '', headers = {}) => {
    const { publishable_key } = api.stack.credentials.live;
    const path = `/pay/${earlierRecords.intent.id}?key=${publishable_key}${query}`;
    return callPay(api.stack, path, undefined, headers);
  };

  it('shows a notice instead of the form, and its script advises developers', async () => {
    const { status, text } = await openForm();
    expect(status).toBe(503);
    expect(text).not.toMatch(/florin-config|sealing_key|<input/);
    expect(text).toContain('Card payments are not set up here yet');
    expect(text).toMatch(/data-code="no_processor" data-message="[^"]*use a sandbox key/);
    const script = /<script src="([^"]+)" integrity="sha384-/.exec(text)?.[1] as string;
    expect((await callPay(api.stack, script)).text).toContain('console.error');
  });

  it('has the notice in every language', () => {
    const incompleteLocales = locales.filter((tag) => {
      const { no_processor_title, no_processor_text } = readTexts(tag);
      return !no_processor_title || !no_processor_text;
    });
    expect(incompleteLocales).toEqual([]);
  });

  it.each(['de', 'ar'] as const)('shows the notice in %s', async (tag) => {
    const { text } = await openForm(`&locale=${tag}`);
    const { no_processor_title, no_processor_text } = readTexts(tag);
    const { html } = await browse(api.stack, `${pathOf(earlierRecords.link)}?locale=${tag}`);
    for (const page of [text, html]) {
      expect(page).toContain(`<html lang="${tag}" dir="${tag === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(page).toContain(no_processor_title);
      expect(page).toContain(no_processor_text);
    }
  });

  it('accepts no card in a form that was open before', async () => {
    const { text } = await callPay(api.stack, '/frame/v1/verify', earlierRecords.sealedCard);
    expect(JSON.parse(text)).toMatchObject({ detail: { code: 'payment_closed' } });
  });

  it('includes that of a link, and of payments started over it', async () => {
    for (const path of [pathOf(earlierRecords.link), earlierRecords.linkPayment.path]) {
      const { status, html } = await browse(api.stack, path);
      expect([status, html.includes('no_processor')]).toEqual([503, true]);
      expect(html).not.toMatch(/<form|data-payment/);
    }
    const formAnswer = await browse(api.stack, pathOf(earlierRecords.link), payerDetails);
    expect(formAnswer.status).toBe(503);
    expect(await submitConfirmation(earlierRecords.linkPayment)).toBe(410);
  });

  it('offers no other card to the customer of a subscription', async () => {
    const path = await createCustomerLink(api.live, earlierRecords.subscription);
    expect((await getPage(api.stack, path)).text).not.toContain(`${path}/card`);
    expect((await getPage(api.stack, `${path}/card`)).status).toBe(403);
  });
});

describe('a live subscription', () => {
  it('waits without a processor, and is charged once there is one', async () => {
    const { id } = earlierRecords.subscription;
    clock.moveTo('2027-02-10T10:01:00Z');
    const listQuarantined = () =>
      api.fixtures.db.query('select put_aside_until from payment_subscriptions where id = $1', [
        id,
      ]);
    const [row] = await eventually(
      listQuarantined,
      ([subscriptionRow]) => subscriptionRow?.put_aside_until != null,
    );
    expect(row?.put_aside_until).not.toBeNull();
    expect(await waitForCharges(id, 1)).toHaveLength(1);
    const { status, past_due_since } = (await fetchSubscription()).attributes;
    expect([status, past_due_since]).toEqual(['active', null]);
    is_connected = true;
    clock.advance(60 * 60);
    const charges = await waitForCharges(id, 2);
    const outcomes = await Promise.all(
      charges.map((charge) => waitForOutcome(api.live, charge.id)),
    );
    expect(outcomes.map(({ attributes }) => attributes.status)).toEqual(['succeeded', 'succeeded']);
  });
  const fetchSubscription = () =>
    api.live.fetch('payment_subscriptions', earlierRecords.subscription.id);
});
