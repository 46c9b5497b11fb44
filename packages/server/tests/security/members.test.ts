import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { unreachableUrl } from '../support/hooks.ts';
import { eventually, makeCapturedPayment } from '../support/make.ts';

const api = useApi();
let merchantId: string;
let browser: Browser;

const scopeHeaders = (mode = 'sandbox', merchant_id = merchantId) => ({
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
const limitMember = (permissions: readonly string[], invited_mode: string | null = null) =>
  api.fixtures.db.query(
    `update memberships set opener = false, permissions = $2, invited_mode = $3
     where merchant_id = $1 and opener or permissions <> '[]'`,
    [merchantId, JSON.stringify(permissions), invited_mode],
  );
const restoreMember = () =>
  api.fixtures.db.query(
    `update memberships m set opener = true, permissions = '[]', invited_mode = null
     from accounts a where a.id = m.account_id and m.merchant_id = $1 and a.email = $2`,
    [merchantId, api.stack.credentials.account.email],
  );
const setOperator = (operator: boolean) =>
  api.fixtures.db.query('update accounts set operator = $1 where email = $2', [
    operator,
    api.stack.credentials.account.email,
  ]);

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
});
beforeEach(async () => {
  await setOperator(false);
});

describe('a signed-in person', () => {
  it('sees under /v2 the same as a key of the merchant and mode', async () => {
    const sessionAnswer = await list('customers');
    const keyAnswer = await api.client.send('GET', '/v2/customers');
    expect([sessionAnswer.status, sessionAnswer.body.data]).toEqual([200, keyAnswer.body.data]);
    expect((await list('events', scopeHeaders('live'))).status).toBe(200);
  });

  it('creates and changes records', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    const { id } = answer.body.data;
    const change = documentOf('customers', { name: 'Grace' }, {}, id);
    const updateAnswer = await browser.send('PATCH', `/v2/customers/${id}`, change, scopeHeaders());
    expect([updateAnswer.status, updateAnswer.body.data.attributes.name]).toEqual([200, 'Grace']);
    expect((await list(`customers/${id}`, scopeHeaders('live'))).status).toBe(404);
  });

  it('may use the permissions of the membership, from the next request on', async () => {
    await limitMember(['consumer.customers.read']);
    expect((await list('customers')).status).toBe(200);
    const refusal = await create();
    expect([refusal.status, codesOf(refusal.body)]).toEqual([403, ['forbidden']]);
    await limitMember(['consumer.customers.read', 'consumer.customers.create']);
    expect((await create()).status).toBe(201);
    await restoreMember();
  });

  it('may do nothing in live mode with permissions from a sandbox key', async () => {
    await limitMember(['consumer.customers.read'], 'sandbox');
    expect((await list('customers')).status).toBe(200);
    expect((await list('customers', scopeHeaders('live'))).status).toBe(403);
    await restoreMember();
  });

  it('changes and reads nothing of live mode by naming the sandbox', async () => {
    const permissions = ['merchants.read', 'merchants.update', 'memberships.read'].map(
      (a) => `user.${a}`,
    );
    const change = documentOf('merchants', { phone_number: '+33123456789' }, {}, merchantId);
    const listStatuses = async () => [
      (await browser.send('PATCH', `/v2/merchants/${merchantId}`, change, scopeHeaders())).status,
      (await browser.send('PATCH', '/dashboard/api/application', {}, scopeHeaders())).status,
      (await browser.send('POST', '/dashboard/api/financial_institutions', {}, scopeHeaders()))
        .status,
      (await browser.get('/dashboard/api/application', scopeHeaders())).status,
      (await browser.get('/dashboard/api/audit_entries', scopeHeaders())).status,
    ];
    await limitMember(permissions, 'sandbox');
    expect(await listStatuses()).toEqual([403, 403, 403, 403, 403]);
    await limitMember(permissions, 'live');
    expect(await listStatuses()).not.toContain(403);
    await restoreMember();
  });

  it('sees the secret of a webhook subscription they may change', async () => {
    const { id } = await api.client.make('webhook_subscriptions', {
      url: unreachableUrl(),
      events: ['transaction.payment_demands.disputed'],
    });
    const readSecretKey = async () =>
      (await list(`webhook_subscriptions/${id}`)).body.data.attributes.secret_key ?? null;
    const prefix = 'developer.webhook_subscriptions';
    await limitMember([`${prefix}.read`, `${prefix}.update`]);
    expect(await readSecretKey()).toMatch(/^.{40}/);
    await limitMember([`${prefix}.read`]);
    expect(await readSecretKey()).toBeNull();
    await restoreMember();
  });

  it('is no member of another merchant, of an unknown one, or with an open invitation', async () => {
    const otherMerchant = await api.fixtures.makeMerchant();
    const unknownId = '00000000-0000-7000-8000-000000000000';
    for (const id of [otherMerchant.id, unknownId])
      expect((await list('customers', scopeHeaders('sandbox', id))).status).toBe(403);
    await api.fixtures.db.query(
      'update memberships set accepted_at = null where merchant_id = $1',
      [merchantId],
    );
    expect((await list('customers')).status).toBe(403);
    await api.fixtures.db.query(
      'update memberships set accepted_at = now() where merchant_id = $1',
      [merchantId],
    );
  });
});

describe('a session is refused', () => {
  const refusedHeaders: [string, Record<string, string | null>, number][] = [
    ['without a merchant', { 'florin-mode': 'sandbox' }, 401],
    ['without a mode', { 'florin-merchant': 'of the test' }, 401],
    ['with an unknown mode', { 'florin-merchant': 'of the test', 'florin-mode': 'test' }, 401],
    ['from a page of another site', { origin: 'https://evil.example' }, 403],
    ['from another origin of this site', { 'sec-fetch-site': 'same-site' }, 403],
    ['in a request that another site starts', { 'sec-fetch-site': 'cross-site' }, 403],
    ['beside an unknown key', { authorization: 'Bearer ept_none' }, 401],
  ];
  it.each(refusedHeaders)('%s', async (_title, headers, status) => {
    const merchantHeader = 'florin-merchant' in headers ? { 'florin-merchant': merchantId } : {};
    const baseHeaders =
      'florin-mode' in headers || 'florin-merchant' in headers ? {} : scopeHeaders();
    const answer = await create({ ...baseHeaders, ...headers, ...merchantHeader });
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
    const endedBrowser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
    const { cookie } = endedBrowser;
    await endedBrowser.send('DELETE', '/dashboard/api/session');
    const reopenedBrowser = openBrowser(api.stack.baseUrl, cookie);
    expect((await reopenedBrowser.get('/v2/customers', scopeHeaders())).status).toBe(401);
  });
});

describe('an operator', () => {
  it('may read every type of a foreign merchant, and write none', async () => {
    await setOperator(true);
    const otherMerchant = await api.fixtures.makeMerchant();
    const otherScope = scopeHeaders('sandbox', otherMerchant.id);
    for (const { type, operations } of Object.values(resources)) {
      if (!(operations as readonly string[]).includes('list')) continue;
      expect([type, (await list(type, otherScope)).status]).toEqual([type, 200]);
    }
    expect((await create(otherScope)).status).toBe(403);
  });
});

describe('a displayed email', () => {
  it('is shown without the logo, so that its host does not learn the reader', async () => {
    const setLogo = (logo_url: string | null) =>
      api.fixtures.db.query('update merchants set logo_url = $2 where id = $1', [
        merchantId,
        logo_url,
      ]);
    await setLogo('https://pictures.example/logo.png');
    await makeCapturedPayment(api.client);
    const email: ResourceObject = await eventually(
      async () => (await api.client.get('/v2/emails')).body.data[0],
      (newest) => Boolean(newest?.attributes.html),
    );
    const path = `/dashboard/api/emails/${email.id}/page`;
    const page = await browser.get(path, scopeHeaders());
    expect(email.attributes.html).toContain('https://pictures.example/logo.png');
    expect(page.body).toMatch(/<img src="data:image\/svg\+xml,[^"]+" alt="[^"]+"/);
    expect(page.body).not.toContain('pictures.example');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("img-src 'self' data:;");
    await setLogo(null);
  });
});

describe('developer addresses of the dashboard', () => {
  const RESET_PATH = '/dashboard/api/sandbox/reset';
  const confirmation = { confirm: 'reset sandbox' };
  const readStatuses = async (caller: Browser) => [
    (await caller.get(RESET_PATH, scopeHeaders())).status,
    (await caller.send('POST', RESET_PATH, confirmation, scopeHeaders())).status,
    (await caller.get(`/dashboard/api/emails/${merchantId}/page`, scopeHeaders())).status,
  ];

  it('need the permissions of what they show', async () => {
    await limitMember(['consumer.customers.read']);
    expect(await readStatuses(browser)).toEqual([403, 403, 403]);
    await restoreMember();
    expect(await readStatuses(openBrowser(api.stack.baseUrl))).toEqual([401, 401, 401]);
  });

  it('empty no sandbox from a page of another site', async () => {
    const foreignHeaders = {
      ...scopeHeaders(),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    };
    expect((await browser.send('POST', RESET_PATH, confirmation, foreignHeaders)).status).toBe(403);
    const { body } = await browser.get(RESET_PATH, scopeHeaders());
    expect(body.status).toBe('never');
  });
});
