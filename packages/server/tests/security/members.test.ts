import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser, signedIn } from '../support/browser.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { deafUrl } from '../support/hooks.ts';
import { eventually, makePaid } from '../support/make.ts';

const api = useApi();
let merchant: string;
let browser: Browser;

const scopeHeaders = (mode = 'sandbox', merchant_id = merchant) => ({
  'florin-merchant': merchant_id,
  'florin-mode': mode,
});
const customer = documentOf('customers', { name: 'Ada', email: 'ada@example.com' });
const list = (type: string, headers: Record<string, string | null> = scopeHeaders()) =>
  browser.get(`/v2/${type}`, headers);
const create = (headers: Record<string, string | null> = scopeHeaders()) =>
  browser.send('POST', '/v2/customers', customer, headers);
const codesOf = (body: { errors: { code: string }[] }) => body.errors.map(({ code }) => code);

/** Makes the demo's account a member with only these permissions. */
const limitTo = (permissions: readonly string[], invited_mode: string | null = null) =>
  api.fixtures.db.query(
    `update memberships set opener = false, permissions = $2, invited_mode = $3
     where merchant_id = $1 and opener or permissions <> '[]'`,
    [merchant, JSON.stringify(permissions), invited_mode],
  );
const restoreMember = () =>
  api.fixtures.db.query(
    `update memberships m set opener = true, permissions = '[]', invited_mode = null
     from accounts a where a.id = m.account_id and m.merchant_id = $1 and a.email = $2`,
    [merchant, api.stack.credentials.account.email],
  );
const setOperator = (operator: boolean) =>
  api.fixtures.db.query('update accounts set operator = $1 where email = $2', [
    operator,
    api.stack.credentials.account.email,
  ]);

beforeAll(async () => {
  merchant = (await api.fixtures.demo()).id;
  browser = await signedIn(api.stack.baseUrl, api.stack.credentials.account);
});
beforeEach(async () => {
  await setOperator(false);
});

describe('a signed-in person', () => {
  it('sees under /v2 the same as a key of the merchant and mode', async () => {
    const seen = await list('customers');
    const byKey = await api.client.send('GET', '/v2/customers');
    expect([seen.status, seen.body.data]).toEqual([200, byKey.body.data]);
    expect((await list('events', scopeHeaders('live'))).status).toBe(200);
  });

  it('creates and changes records', async () => {
    const made = await create();
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    const change = documentOf('customers', { name: 'Grace' }, {}, id);
    const changed = await browser.send('PATCH', `/v2/customers/${id}`, change, scopeHeaders());
    expect([changed.status, changed.body.data.attributes.name]).toEqual([200, 'Grace']);
    expect((await list(`customers/${id}`, scopeHeaders('live'))).status).toBe(404);
  });

  it('may use the permissions of the membership, from the next request on', async () => {
    await limitTo(['consumer.customers.read']);
    expect((await list('customers')).status).toBe(200);
    const refused = await create();
    expect([refused.status, codesOf(refused.body)]).toEqual([403, ['forbidden']]);
    await limitTo(['consumer.customers.read', 'consumer.customers.create']);
    expect((await create()).status).toBe(201);
    await restoreMember();
  });

  it('may do nothing in live mode with permissions from a sandbox key', async () => {
    await limitTo(['consumer.customers.read'], 'sandbox');
    expect((await list('customers')).status).toBe(200);
    expect((await list('customers', scopeHeaders('live'))).status).toBe(403);
    await restoreMember();
  });

  it('changes and reads nothing of live mode by naming the sandbox', async () => {
    const all = ['merchants.read', 'merchants.update', 'memberships.read'].map((a) => `user.${a}`);
    const change = documentOf('merchants', { phone_number: '+33123456789' }, {}, merchant);
    const listStatuses = async () => [
      (await browser.send('PATCH', `/v2/merchants/${merchant}`, change, scopeHeaders())).status,
      (await browser.send('PATCH', '/dashboard/api/application', {}, scopeHeaders())).status,
      (await browser.send('POST', '/dashboard/api/financial_institutions', {}, scopeHeaders()))
        .status,
      (await browser.get('/dashboard/api/application', scopeHeaders())).status,
      (await browser.get('/dashboard/api/audit_entries', scopeHeaders())).status,
    ];
    await limitTo(all, 'sandbox');
    expect(await listStatuses()).toEqual([403, 403, 403, 403, 403]);
    await limitTo(all, 'live');
    expect(await listStatuses()).not.toContain(403);
    await restoreMember();
  });

  it('sees the secret of a webhook subscription they may change', async () => {
    const { id } = await api.client.make('webhook_subscriptions', {
      url: deafUrl(),
      events: ['transaction.payment_demands.disputed'],
    });
    const createSecretKey = async () =>
      (await list(`webhook_subscriptions/${id}`)).body.data.attributes.secret_key ?? null;
    const right = 'developer.webhook_subscriptions';
    await limitTo([`${right}.read`, `${right}.update`]);
    expect(await createSecretKey()).toMatch(/^.{40}/);
    await limitTo([`${right}.read`]);
    expect(await createSecretKey()).toBeNull();
    await restoreMember();
  });

  it('is no member of another merchant, of an unknown one, or with an open invitation', async () => {
    const other = await api.fixtures.makeMerchant();
    const nobody = '00000000-0000-7000-8000-000000000000';
    for (const id of [other.id, nobody])
      expect((await list('customers', scopeHeaders('sandbox', id))).status).toBe(403);
    await api.fixtures.db.query(
      'update memberships set accepted_at = null where merchant_id = $1',
      [merchant],
    );
    expect((await list('customers')).status).toBe(403);
    await api.fixtures.db.query(
      'update memberships set accepted_at = now() where merchant_id = $1',
      [merchant],
    );
  });
});

describe('a session is refused', () => {
  const lacking: [string, Record<string, string | null>, number][] = [
    ['without a merchant', { 'florin-mode': 'sandbox' }, 401],
    ['without a mode', { 'florin-merchant': 'of the test' }, 401],
    ['with a mode that is none', { 'florin-merchant': 'of the test', 'florin-mode': 'test' }, 401],
    ['from a page of another site', { origin: 'https://evil.example' }, 403],
    ['from another origin of this site', { 'sec-fetch-site': 'same-site' }, 403],
    ['where another site is the asker', { 'sec-fetch-site': 'cross-site' }, 403],
    ['beside a key that is none', { authorization: 'Bearer ept_none' }, 401],
  ];
  it.each(lacking)('%s', async (_what, headers, status) => {
    const named = 'florin-merchant' in headers ? { 'florin-merchant': merchant } : {};
    const base = 'florin-mode' in headers || 'florin-merchant' in headers ? {} : scopeHeaders();
    const answer = await create({ ...base, ...headers, ...named });
    expect(answer.status).toBe(status);
  });

  it('in a form that another site posts', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await browser.send('POST', '/v2/customers', customer, {
      ...scopeHeaders(),
      ...form,
    });
    expect(answer.status).toBe(415);
  });

  it('after its end', async () => {
    const ended = await signedIn(api.stack.baseUrl, api.stack.credentials.account);
    const { cookie } = ended;
    await ended.send('DELETE', '/dashboard/api/session');
    const again = openBrowser(api.stack.baseUrl, cookie);
    expect((await again.get('/v2/customers', scopeHeaders())).status).toBe(401);
  });
});

describe('an operator', () => {
  it('may read every type of a foreign merchant, and write none', async () => {
    await setOperator(true);
    const other = await api.fixtures.makeMerchant();
    const there = scopeHeaders('sandbox', other.id);
    for (const { type, operations } of Object.values(resources)) {
      if (!(operations as readonly string[]).includes('list')) continue;
      expect([type, (await list(type, there)).status]).toEqual([type, 200]);
    }
    expect((await create(there)).status).toBe(403);
  });
});

describe('a displayed email', () => {
  it('is shown without the logo, so that its host does not learn the reader', async () => {
    const setLogo = (logo_url: string | null) =>
      api.fixtures.db.query('update merchants set logo_url = $2 where id = $1', [
        merchant,
        logo_url,
      ]);
    await setLogo('https://pictures.example/logo.png');
    await makePaid(api.client);
    const letter: ResourceObject = await eventually(
      async () => (await api.client.get('/v2/letters')).body.data[0],
      (found) => Boolean(found?.attributes.html),
    );
    const path = `/dashboard/api/letters/${letter.id}/page`;
    const page = await browser.get(path, scopeHeaders());
    expect(letter.attributes.html).toContain('https://pictures.example/logo.png');
    expect(page.body).toMatch(/<img src="data:image\/svg\+xml,[^"]+" alt="[^"]+"/);
    expect(page.body).not.toContain('pictures.example');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("img-src 'self' data:;");
    await setLogo(null);
  });
});

describe('developer addresses of the dashboard', () => {
  const RESET = '/dashboard/api/sandbox/reset';
  const confirm = { confirm: 'reset sandbox' };
  const statusesFor = async (of: Browser) => [
    (await of.get(RESET, scopeHeaders())).status,
    (await of.send('POST', RESET, confirm, scopeHeaders())).status,
    (await of.get(`/dashboard/api/letters/${merchant}/page`, scopeHeaders())).status,
  ];

  it('need the permissions of what they show', async () => {
    await limitTo(['consumer.customers.read']);
    expect(await statusesFor(browser)).toEqual([403, 403, 403]);
    await restoreMember();
    expect(await statusesFor(openBrowser(api.stack.baseUrl))).toEqual([401, 401, 401]);
  });

  it('empty no sandbox from a page of another site', async () => {
    const foreign = {
      ...scopeHeaders(),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    };
    expect((await browser.send('POST', RESET, confirm, foreign)).status).toBe(403);
    const { body } = await browser.get(RESET, scopeHeaders());
    expect(body.status).toBe('never');
  });
});
