import { describe, expect, it } from 'vitest';
import { CHANGES, VIEWS } from '../../src/features/customer-page/routes/limits.ts';
import {
  customerToken,
  readCustomerToken,
} from '../../src/features/subscriptions/customer-links/customer-link.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import {
  createCustomerLink,
  getPage,
  makePaidSubscription,
  type PageAnswer,
  readNoticeAfter,
  submitForm,
} from '../support/customer-page.ts';
import { openSecret } from '../support/instance-secrets.ts';
import { makeActiveSubscription, makeSubscription } from '../support/make.ts';

let monotonic_ms = 0;
const api = useOwnStack({ config: { monotonic_ms: () => monotonic_ms } });
/** Lets the windows of the address limits pass. */
const advanceHour = (): void => {
  monotonic_ms += 3_600_000;
};

const get = (path: string): Promise<PageAnswer> => getPage(api.stack, path);
const reload = async ({ id }: { id: string }, client: Client = api.client) =>
  (await client.fetch('payment_subscriptions', id)).attributes;
const allow = async (rights: readonly string[], client: Client = api.client): Promise<void> => {
  const { body } = await client.get('/v2/merchants');
  const [{ id }] = body.data;
  const document = documentOf('merchants', { customer_permissions: rights }, {}, id);
  expect((await client.send('PATCH', `/v2/merchants/${id}`, document)).status).toBe(200);
};

/** A subscription that no test changes. */
let unchangedSubscription: Promise<ResourceObject> | undefined;
const getSubscription = (): Promise<ResourceObject> => {
  unchangedSubscription ??= makeActiveSubscription(api.client);
  return unchangedSubscription;
};

const linkPathOf = (subscription: { id: string }, client: Client = api.client): Promise<string> =>
  createCustomerLink(client, subscription);

const tokenOf = (path: string): string => path.slice('/s/'.length);
const loadSigner = async () =>
  createSigner(await openSecret(api.fixtures.db, api.stack.dataDir, 'customer_links'));

/** Creates a link, and reads its token with the server's signer. */
async function readNewLink() {
  const customer_links = await loadSigner();
  const token = tokenOf(await linkPathOf(await getSubscription()));
  const link = readCustomerToken({ customer_links }, token);
  if (!link) throw new Error('the link cannot be read');
  return { customer_links, link };
}

describe("a link to the customer's page", () => {
  it('is in the answer of the action only: in no list, record or event', async () => {
    const subscription = await getSubscription();
    const token = tokenOf(await linkPathOf(subscription));
    const paths = ['payment_subscriptions', `payment_subscriptions/${subscription.id}`, 'events'];
    for (const path of paths) {
      const text = JSON.stringify((await api.client.get(`/v2/${path}`)).body);
      expect(text).toContain(subscription.id);
      expect(text).not.toMatch(new RegExp(`${token.slice(0, 20)}|customer_url|customer_links`));
    }
  });

  it('needs permission to change subscriptions', async () => {
    const subscription = await getSubscription();
    const demo = await api.fixtures.getDemoMerchant();
    const path = `/v2/payment_subscriptions/${subscription.id}/customer_link`;
    for (const [action, status] of [
      ['read', 403],
      ['update', 200],
    ] as const) {
      const permissions = [`transaction.payment_subscriptions.${action}`];
      const client = api.as(await demo.makeKey({ permissions }));
      expect((await client.send('PATCH', path)).status).toBe(status);
    }
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    expect((await otherClient.send('PATCH', path)).status).toBe(404);
    expect((await api.live.send('PATCH', path)).status).toBe(404);
  });

  it.each([
    [59, 422],
    [60, 200],
    [90 * 86_400, 200],
    [90 * 86_400 + 1, 422],
    ['a day', 422],
  ])('may be valid for %s seconds: %i', async (expires_in_seconds, status) => {
    const { id } = await getSubscription();
    const path = `/v2/payment_subscriptions/${id}/customer_link`;
    const document = documentOf('payment_subscriptions', { expires_in_seconds }, {}, id);
    expect((await api.client.send('PATCH', path, document)).status).toBe(status);
  });

  it('does not exist for an intent, which is no subscription yet', async () => {
    const { id } = await makeSubscription(api.client);
    const path = `/v2/payment_subscriptions/${id}/customer_link`;
    expect((await api.client.send('PATCH', path)).status).toBe(405);
  });

  it('opens nothing with any character changed', async () => {
    const path = await linkPathOf(await getSubscription());
    expect((await get(path)).status).toBe(200);
    advanceHour();
    const token = tokenOf(path);
    for (let index = 0; index < token.length; index += 7) {
      const otherCharacter = token[index] === 'A' ? 'B' : 'A';
      const { status, text } = await get(
        `/s/${token.slice(0, index)}${otherCharacter}${token.slice(index + 1)}`,
      );
      expect([index, status]).toEqual([index, 404]);
      expect(text).toContain('This link no longer works');
    }
    for (const invalidToken of [
      '.',
      'a.b',
      token.split('.')[0],
      `${token}.${token}`,
      '%00',
      'x'.repeat(190),
    ]) {
      expect((await get(`/s/${invalidToken}`)).status).toBe(404);
    }
  });

  it('is bound to merchant and mode, even with a valid signature', async () => {
    advanceHour();
    const { customer_links, link } = await readNewLink();
    const otherMerchant = await api.fixtures.makeMerchant();
    const { scope } = link;
    for (const [tokenScope, status] of [
      [scope, 200],
      [{ ...scope, mode: 'live' }, 404],
      [{ ...scope, merchant_id: otherMerchant.id }, 404],
    ] as const) {
      const token = customerToken({ customer_links }, { ...link, scope: tokenScope });
      expect((await get(`/s/${token}`)).status).toBe(status);
    }
  });

  it('of another installation opens nothing here', async () => {
    const { link } = await readNewLink();
    const otherSigner = { customer_links: createSigner(Buffer.alloc(32, 7)) };
    expect((await get(`/s/${customerToken(otherSigner, link)}`)).status).toBe(404);
  });

  it('expires', async () => {
    advanceHour();
    const { customer_links, link } = await readNewLink();
    const now = systemClock().now();
    for (const [offset_seconds, status] of [
      [60, 200],
      [-1, 410],
    ] as const) {
      const expires = now + seconds(offset_seconds);
      const token = customerToken({ customer_links }, { ...link, expires });
      const answer = await get(`/s/${token}`);
      expect([offset_seconds, answer.status], instantText(now)).toEqual([offset_seconds, status]);
      if (status === 410) expect(answer.text).toContain('This link no longer works');
    }
  });

  it('is revoked with all others of its subscription, for all its uses', async () => {
    advanceHour();
    const subscription = await makeActiveSubscription(api.client);
    const path = await linkPathOf(subscription);
    const { text } = await get(`${path}/cancel`);
    const revokePath = `/v2/payment_subscriptions/${subscription.id}/revoke_customer_links`;
    expect((await api.client.send('PATCH', revokePath)).status).toBe(200);
    expect((await get(path)).status).toBe(410);
    expect((await get(`${path}/card`)).status).toBe(410);
    expect((await submitForm(api.stack, path, 'cancel_now', { page: text })).status).toBe(410);
    expect((await reload(subscription)).status).toBe('active');
    expect((await get(await linkPathOf(subscription))).status).toBe(200);
  });
});

describe("the customer's page", () => {
  it("is not changed by requests that only read, such as mail scanners'", async () => {
    advanceHour();
    await allow(['cancel', 'cancel_now', 'pause', 'change_card']);
    const subscription = await makeActiveSubscription(api.client);
    const attributesBefore = await reload(subscription);
    const path = await linkPathOf(subscription);
    const { text } = await get(path);
    const links = [...text.matchAll(/href="(\/s\/[^"]+)"/g)].map(([, href]) => href as string);
    expect(links.length).toBeGreaterThan(1);
    const actions = ['cancel_now', 'cancel_later', 'pause', 'keep', 'resume', 'change_card'];
    for (const link of [...links, ...actions.map((name) => `${path}/${name}`)]) await get(link);
    expect(await reload(subscription)).toEqual(attributesBefore);
  });

  it('is in no frame, cache or index, and reveals its address to no one', async () => {
    advanceHour();
    const path = await linkPathOf(await getSubscription());
    for (const url of [path, `${path}/cancel`, `${path}/card`, '/s/nothing']) {
      const { headers, text } = await get(url);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(text).not.toMatch(/<script(?![^>]* src="\/)|<style|\son\w+=|\sstyle=/);
      expect([...text.matchAll(/(?:src|rel="stylesheet" href)="(?!\/(?!\/))/g)]).toEqual([]);
    }
  });

  it.each<[string, { fields?: Record<string, string>; headers?: Record<string, string> }]>([
    ['no token of the page', { fields: { csrf: '' } }],
    ['another token', { fields: { csrf: 'A'.repeat(43) } }],
    ['the token of another showing', { fields: { once: '01935f00-0000-7000-8000-000000000000' } }],
    ['another origin', { headers: { origin: 'https://evil.example' } }],
    ['another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['a site of the same domain', { headers: { 'sec-fetch-site': 'same-site' } }],
  ])('refuses a form with %s', async (_name, overrides) => {
    advanceHour();
    await allow(['cancel', 'cancel_now']);
    const subscription = await getSubscription();
    const path = await linkPathOf(subscription);
    const page = (await get(`${path}/cancel`)).text;
    expect((await submitForm(api.stack, path, 'cancel_now', { page, ...overrides })).status).toBe(
      403,
    );
    expect((await reload(subscription)).status).toBe('active');
  });

  it("accepts no token of another subscription's page", async () => {
    advanceHour();
    const [subscription, otherSubscription] = [
      await makeActiveSubscription(api.client),
      await makeActiveSubscription(api.client),
    ];
    const page = (await get(`${await linkPathOf(otherSubscription)}/cancel`)).text;
    const path = await linkPathOf(subscription);
    const answer = await submitForm(api.stack, path, 'cancel_later', { page });
    expect(answer.status).toBe(403);
  });

  it('offers and does what the merchant allows, and answers 403 otherwise', async () => {
    const actionsByRight = {
      cancel: ['cancel_later', 'keep'],
      cancel_now: ['cancel_later', 'cancel_now', 'keep'],
      pause: ['pause', 'resume'],
      change_card: ['change_card'],
    } as const;
    const allActions = [...new Set(Object.values(actionsByRight).flat())];
    const subscription = await getSubscription();
    const path = await linkPathOf(subscription);
    for (const [right, actions] of Object.entries(actionsByRight)) {
      advanceHour();
      await allow([right]);
      const page = (await get(`${path}`)).text;
      const forms = (await get(path)).text.match(/(?:action|href)="[^"]*\/(\w+)"/g) ?? [];
      expect([right, forms.join().includes('/card"')]).toEqual([right, right === 'change_card']);
      expect([right, forms.join().includes('/cancel"')]).toEqual([
        right,
        right.startsWith('cancel'),
      ]);
      const candidatePage = /name="csrf"/.test(page) ? page : (await get(`${path}/cancel`)).text;
      const tokenPage = /name="csrf"/.test(candidatePage)
        ? candidatePage
        : (await get(`${path}/card`)).text;
      for (const action of allActions.filter(
        (name) => !(actions as readonly string[]).includes(name),
      )) {
        const { status } = await submitForm(api.stack, path, action, { page: tokenPage });
        expect([right, action, status]).toEqual([right, action, 403]);
      }
      expect((await reload(subscription)).status).toBe('active');
    }
    await allow([]);
    advanceHour();
    expect((await get(path)).text).not.toMatch(/<form|<button/);
    for (const subpath of ['card', 'cancel'])
      expect((await get(`${path}/${subpath}`)).status).toBe(403);
  });

  it('acts once, however often the button is pressed', async () => {
    advanceHour();
    await allow(['pause']);
    const subscription = await makeActiveSubscription(api.client);
    const path = await linkPathOf(subscription);
    const page = (await get(path)).text;
    const answers = await Promise.all(
      [1, 2, 3].map(() => submitForm(api.stack, path, 'pause', { page })),
    );
    for (const answer of answers) {
      expect(await readNoticeAfter(api.stack, answer)).toBe('The subscription is paused.');
    }
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${subscription.id}`);
    const slugs = body.data.map(({ attributes }: ResourceObject) => attributes.slug);
    expect(slugs.filter((slug: string) => slug === 'updated')).toHaveLength(1);
  });

  it('changes nothing that has changed since the page was shown', async () => {
    advanceHour();
    await allow(['pause']);
    const subscription = await makeActiveSubscription(api.client);
    const path = await linkPathOf(subscription);
    const page = (await get(path)).text;
    const change = documentOf(
      'payment_subscriptions',
      { description: 'Tulips' },
      {},
      subscription.id,
    );
    await api.client.send('PATCH', `/v2/payment_subscriptions/${subscription.id}`, change);
    const answer = await submitForm(api.stack, path, 'pause', { page });
    expect(await readNoticeAfter(api.stack, answer)).toMatch(/^The subscription has changed/);
    expect((await reload(subscription)).status).toBe('active');
  });

  it('shows text by merchants and customers as text', async () => {
    advanceHour();
    const maliciousText = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const merchant = await api.fixtures.makeMerchant({
      business_name: maliciousText,
      business_support_email: 'help@example.com',
      business_support_url: 'javascript:alert(1)',
    });
    const client = api.as(await merchant.makeKey());
    const subscription = await makePaidSubscription(client, {
      description: maliciousText,
      purchase_reference: `../${maliciousText}; filename="a.exe"`,
      line_items: [
        { name: maliciousText, quantity: 1, amount_cents: 2500, amount_currency: 'USD' },
      ],
    });
    const path = await linkPathOf(subscription, client);
    const receipt = await receiptOf(path);
    for (const { text } of [await get(path), await get(`${path}/cancel`), receipt]) {
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toMatch(/<script>|<img|javascript:/);
    }
    expect(receipt.headers.get('content-disposition')).toMatch(
      /^attachment; filename="receipt-[\w-]+\.html"$/,
    );
  });

  it('shows receipts of its own subscription only', async () => {
    advanceHour();
    const [subscription, otherSubscription] = [
      await makePaidSubscription(api.client),
      await makePaidSubscription(api.client),
    ];
    const paths = [await linkPathOf(subscription), await linkPathOf(otherSubscription)] as const;
    await receiptOf(paths[0]);
    const otherReceiptId = /receipts\/([\w-]+)/.exec(
      (await waitForReceiptPage(paths[1])).text,
    )?.[1];
    expect((await get(`${paths[0]}/receipts/${otherReceiptId}`)).status).toBe(404);
    expect((await get(`${paths[1]}/receipts/${otherReceiptId}`)).status).toBe(200);
    expect((await get(`${paths[0]}/receipts/nothing`)).status).toBe(404);
  });
});

/** Waits until the page links to a receipt. Returns the page. */
async function waitForReceiptPage(path: string): Promise<PageAnswer> {
  for (let count = 0; count < 100; count++) {
    const page = await get(path);
    if (page.text.includes('/receipts/')) return page;
    advanceHour();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nothing was paid');
}

const receiptOf = async (path: string): Promise<PageAnswer> => {
  const { text } = await waitForReceiptPage(path);
  return get(/href="(\/s\/[^"]+\/receipts\/[^"]+)"/.exec(text)?.[1] ?? '');
};

describe('one address', () => {
  it('may load a limited number of pages, and make a limited number of changes', async () => {
    advanceHour();
    await allow(['pause']);
    const path = await linkPathOf(await getSubscription());
    const page = (await get(path)).text;
    for (let count = 1; count < VIEWS.requests; count++) {
      expect((await get('/s/guess')).status).toBe(404);
    }
    const refusal = await get(path);
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refusal.text).toContain('Too many requests');
    const send = async () =>
      (await submitForm(api.stack, path, 'pause', { page, fields: { csrf: '' } })).status;
    for (let count = 0; count < CHANGES.requests; count++) expect(await send()).toBe(403);
    expect(await send()).toBe(429);
    advanceHour();
    expect((await get(path)).status).toBe(200);
  });
});
