import { describe, expect, it } from 'vitest';
import { CHANGES, VIEWS } from '../../src/features/customer-page/routes/limits.ts';
import {
  customerToken,
  readCustomerToken,
} from '../../src/features/subscriptions/customer-links/customer-link.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { instanceSecret } from '../../src/platform/database/installation/instance-secrets.ts';
import { instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, documentOf, type ResourceObject } from '../support/client.ts';
import {
  getPage,
  linkTo,
  makeRunning,
  noticeAfter,
  type PageAnswer,
  press,
} from '../support/customer-page.ts';
import { makeActiveSubscription, makeSubscription } from '../support/make.ts';

let monotonic_ms = 0;
const api = useOwnStack({ config: { monotonic_ms: () => monotonic_ms } });
/** Lets the windows of the address limits pass. */
const anHourLater = (): void => {
  monotonic_ms += 3_600_000;
};

const get = (path: string): Promise<PageAnswer> => getPage(api.stack, path);
const reload = async ({ id }: { id: string }, client: Client = api.client) =>
  (await client.fetch('payment_subscriptions', id)).attributes;
const allow = async (rights: readonly string[], client: Client = api.client): Promise<void> => {
  const { body } = await client.get('/v2/merchants');
  const [{ id }] = body.data;
  const document = documentOf('merchants', { customers_may: rights }, {}, id);
  expect((await client.send('PATCH', `/v2/merchants/${id}`, document)).status).toBe(200);
};

/** A subscription that no test changes. */
let unchanged: Promise<ResourceObject> | undefined;
const anySubscription = (): Promise<ResourceObject> => {
  unchanged ??= makeActiveSubscription(api.client);
  return unchanged;
};

const tokenOf = (path: string): string => path.slice('/s/'.length);
const ourSigner = async () => createSigner(await instanceSecret(api.fixtures.db, 'customer_links'));

describe("a link to the customer's page", () => {
  it('is in the answer of the action only: in no list, record or event', async () => {
    const made = await anySubscription();
    const token = tokenOf(await linkTo(api.client, made));
    const paths = ['payment_subscriptions', `payment_subscriptions/${made.id}`, 'events'];
    for (const path of paths) {
      const text = JSON.stringify((await api.client.get(`/v2/${path}`)).body);
      expect(text).toContain(made.id);
      expect(text).not.toMatch(new RegExp(`${token.slice(0, 20)}|customer_url|customer_links`));
    }
  });

  it('needs permission to change subscriptions', async () => {
    const made = await anySubscription();
    const demo = await api.fixtures.demo();
    const path = `/v2/payment_subscriptions/${made.id}/customer_link`;
    for (const [action, status] of [
      ['read', 403],
      ['update', 200],
    ] as const) {
      const permissions = [`transaction.payment_subscriptions.${action}`];
      const client = api.as(await demo.key({ permissions }));
      expect((await client.send('PATCH', path)).status).toBe(status);
    }
    const anonymous = api.as(await (await api.fixtures.makeMerchant()).key());
    expect((await anonymous.send('PATCH', path)).status).toBe(404);
    expect((await api.live.send('PATCH', path)).status).toBe(404);
  });

  it.each([
    [59, 422],
    [60, 200],
    [90 * 86_400, 200],
    [90 * 86_400 + 1, 422],
    ['a day', 422],
  ])('may be valid for %s seconds: %i', async (expires_in_seconds, status) => {
    const { id } = await anySubscription();
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
    const path = await linkTo(api.client, await anySubscription());
    expect((await get(path)).status).toBe(200);
    anHourLater();
    const token = tokenOf(path);
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const { status, text } = await get(`/s/${token.slice(0, at)}${other}${token.slice(at + 1)}`);
      expect([at, status]).toEqual([at, 404]);
      expect(text).toContain('This link no longer works');
    }
    for (const wrong of [
      '.',
      'a.b',
      token.split('.')[0],
      `${token}.${token}`,
      '%00',
      'x'.repeat(190),
    ]) {
      expect((await get(`/s/${wrong}`)).status).toBe(404);
    }
  });

  it('is bound to merchant and mode, even with a valid signature', async () => {
    anHourLater();
    const made = await anySubscription();
    const customer_links = await ourSigner();
    const link = readCustomerToken({ customer_links }, tokenOf(await linkTo(api.client, made)));
    if (!link) throw new Error('the link cannot be read');
    const other = await api.fixtures.makeMerchant();
    const { scope } = link;
    for (const [as, status] of [
      [scope, 200],
      [{ ...scope, mode: 'live' }, 404],
      [{ ...scope, merchant_id: other.id }, 404],
    ] as const) {
      const token = customerToken({ customer_links }, { ...link, scope: as });
      expect((await get(`/s/${token}`)).status).toBe(status);
    }
  });

  it('of another installation opens nothing here', async () => {
    const made = await anySubscription();
    const customer_links = await ourSigner();
    const link = readCustomerToken({ customer_links }, tokenOf(await linkTo(api.client, made)));
    const theirs = { customer_links: createSigner(Buffer.alloc(32, 7)) };
    if (!link) throw new Error('the link cannot be read');
    expect((await get(`/s/${customerToken(theirs, link)}`)).status).toBe(404);
  });

  it('expires', async () => {
    anHourLater();
    const made = await anySubscription();
    const customer_links = await ourSigner();
    const link = readCustomerToken({ customer_links }, tokenOf(await linkTo(api.client, made)));
    if (!link) throw new Error('the link cannot be read');
    const now = systemClock().now();
    for (const [offset_seconds, status] of [
      [60, 200],
      [-1, 410],
    ] as const) {
      const token = customerToken(
        { customer_links },
        { ...link, expires: now + seconds(offset_seconds) },
      );
      const { status: answered, text } = await get(`/s/${token}`);
      expect([instantText(now), offset_seconds, answered]).toEqual([
        instantText(now),
        offset_seconds,
        status,
      ]);
      if (status === 410) expect(text).toContain('This link no longer works');
    }
  });

  it('is revoked with all others of its subscription, for all its uses', async () => {
    anHourLater();
    const made = await makeActiveSubscription(api.client);
    const path = await linkTo(api.client, made);
    const { text } = await get(`${path}/cancel`);
    const revoke = `/v2/payment_subscriptions/${made.id}/revoke_customer_links`;
    expect((await api.client.send('PATCH', revoke)).status).toBe(200);
    expect((await get(path)).status).toBe(410);
    expect((await get(`${path}/card`)).status).toBe(410);
    expect((await press(api.stack, path, 'cancel_now', { page: text })).status).toBe(410);
    expect((await reload(made)).status).toBe('active');
    expect((await get(await linkTo(api.client, made))).status).toBe(200);
  });
});

describe("the customer's page", () => {
  it("is not changed by requests that only read, such as mail scanners'", async () => {
    anHourLater();
    await allow(['cancel', 'cancel_now', 'pause', 'change_card']);
    const made = await makeActiveSubscription(api.client);
    const before = await reload(made);
    const path = await linkTo(api.client, made);
    const { text } = await get(path);
    const links = [...text.matchAll(/href="(\/s\/[^"]+)"/g)].map(([, href]) => href as string);
    expect(links.length).toBeGreaterThan(1);
    const actions = ['cancel_now', 'cancel_later', 'pause', 'keep', 'resume', 'change_card'];
    for (const link of [...links, ...actions.map((name) => `${path}/${name}`)]) await get(link);
    expect(await reload(made)).toEqual(before);
  });

  it('is in no frame, cache or index, and reveals its address to no one', async () => {
    anHourLater();
    const path = await linkTo(api.client, await anySubscription());
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
  ])('refuses a form with %s', async (_name, sent) => {
    anHourLater();
    await allow(['cancel', 'cancel_now']);
    const made = await anySubscription();
    const path = await linkTo(api.client, made);
    const page = (await get(`${path}/cancel`)).text;
    expect((await press(api.stack, path, 'cancel_now', { page, ...sent })).status).toBe(403);
    expect((await reload(made)).status).toBe('active');
  });

  it("accepts no token of another subscription's page", async () => {
    anHourLater();
    const [one, other] = [
      await makeActiveSubscription(api.client),
      await makeActiveSubscription(api.client),
    ];
    const { text } = await get(`${await linkTo(api.client, other)}/cancel`);
    const answer = await press(api.stack, await linkTo(api.client, one), 'cancel_later', {
      page: text,
    });
    expect(answer.status).toBe(403);
  });

  it('offers and does what the merchant allows, and answers 403 otherwise', async () => {
    const wanted = {
      cancel: ['cancel_later', 'keep'],
      cancel_now: ['cancel_later', 'cancel_now', 'keep'],
      pause: ['pause', 'resume'],
      change_card: ['change_card'],
    } as const;
    const all = ['cancel_later', 'cancel_now', 'keep', 'pause', 'resume', 'change_card'] as const;
    const made = await anySubscription();
    const path = await linkTo(api.client, made);
    for (const [right, actions] of Object.entries(wanted)) {
      anHourLater();
      await allow([right]);
      const page = (await get(`${path}`)).text;
      const forms = (await get(path)).text.match(/(?:action|href)="[^"]*\/(\w+)"/g) ?? [];
      expect([right, forms.join().includes('/card"')]).toEqual([right, right === 'change_card']);
      expect([right, forms.join().includes('/cancel"')]).toEqual([
        right,
        right.startsWith('cancel'),
      ]);
      const hidden = /name="csrf"/.test(page) ? page : (await get(`${path}/cancel`)).text;
      const source = /name="csrf"/.test(hidden) ? hidden : (await get(`${path}/card`)).text;
      for (const action of all.filter((name) => !(actions as readonly string[]).includes(name))) {
        const { status } = await press(api.stack, path, action, { page: source });
        expect([right, action, status]).toEqual([right, action, 403]);
      }
      expect((await reload(made)).status).toBe('active');
    }
    await allow([]);
    anHourLater();
    expect((await get(path)).text).not.toMatch(/<form|<button/);
    for (const subpath of ['card', 'cancel'])
      expect((await get(`${path}/${subpath}`)).status).toBe(403);
  });

  it('acts once, however often the button is pressed', async () => {
    anHourLater();
    await allow(['pause']);
    const made = await makeActiveSubscription(api.client);
    const path = await linkTo(api.client, made);
    const page = (await get(path)).text;
    const answers = await Promise.all(
      [1, 2, 3].map(() => press(api.stack, path, 'pause', { page })),
    );
    for (const answer of answers) {
      expect(await noticeAfter(api.stack, answer)).toBe('The subscription is paused.');
    }
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${made.id}`);
    const slugs = body.data.map(({ attributes }: ResourceObject) => attributes.slug);
    expect(slugs.filter((slug: string) => slug === 'updated')).toHaveLength(1);
  });

  it('changes nothing that has changed since the page was shown', async () => {
    anHourLater();
    await allow(['pause']);
    const made = await makeActiveSubscription(api.client);
    const path = await linkTo(api.client, made);
    const page = (await get(path)).text;
    const change = documentOf('payment_subscriptions', { description: 'Tulips' }, {}, made.id);
    await api.client.send('PATCH', `/v2/payment_subscriptions/${made.id}`, change);
    const answer = await press(api.stack, path, 'pause', { page });
    expect(await noticeAfter(api.stack, answer)).toMatch(/^Something has changed/);
    expect((await reload(made)).status).toBe('active');
  });

  it('shows text by merchants and customers as text', async () => {
    anHourLater();
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const merchant = await api.fixtures.makeMerchant({
      business_name: evil,
      business_support_email: 'help@example.com',
      business_support_url: 'javascript:alert(1)',
    });
    const client = api.as(await merchant.key());
    const made = await makeRunning(client, {
      description: evil,
      purchase_reference: `../${evil}; filename="a.exe"`,
      line_items: [{ name: evil, quantity: 1, amount_cents: 2500, amount_currency: 'USD' }],
    });
    const path = await linkTo(client, made);
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
    anHourLater();
    const [one, other] = [await makeRunning(api.client), await makeRunning(api.client)];
    const paths = [await linkTo(api.client, one), await linkTo(api.client, other)] as const;
    await receiptOf(paths[0]);
    const theirs = /receipts\/([\w-]+)/.exec((await receiptPage(paths[1])).text)?.[1];
    expect((await get(`${paths[0]}/receipts/${theirs}`)).status).toBe(404);
    expect((await get(`${paths[1]}/receipts/${theirs}`)).status).toBe(200);
    expect((await get(`${paths[0]}/receipts/nothing`)).status).toBe(404);
  });
});

/** The page, once a charge of the subscription was paid. */
async function receiptPage(path: string): Promise<PageAnswer> {
  for (let count = 0; count < 100; count++) {
    const page = await get(path);
    if (page.text.includes('/receipts/')) return page;
    anHourLater();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nothing was paid');
}

const receiptOf = async (path: string): Promise<PageAnswer> => {
  const { text } = await receiptPage(path);
  return get(/href="(\/s\/[^"]+\/receipts\/[^"]+)"/.exec(text)?.[1] ?? '');
};

describe('one address', () => {
  it('may load a limited number of pages, and make a limited number of changes', async () => {
    anHourLater();
    await allow(['pause']);
    const path = await linkTo(api.client, await anySubscription());
    const page = (await get(path)).text;
    for (let count = 1; count < VIEWS.requests; count++) {
      expect((await get('/s/guess')).status).toBe(404);
    }
    const refused = await get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.text).toContain('Too many requests');
    const send = async () =>
      (await press(api.stack, path, 'pause', { page, fields: { csrf: '' } })).status;
    for (let count = 0; count < CHANGES.requests; count++) expect(await send()).toBe(403);
    expect(await send()).toBe(429);
    anHourLater();
    expect((await get(path)).status).toBe(200);
  });
});
