import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import { type Answer, type Client, documentOf, UNKNOWN_ID } from '../support/client.ts';
import type { Merchant } from '../support/merchants.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';

const PER_SECOND = 2;
const BURST = 10;
/** Keys of one merchant and mode whose limits add up to the merchant's limit. */
const MERCHANT_FACTOR = 4;
/** Time for requests to reach the locked table. The test passes with later requests too. */
const ARRIVAL_MS = 300;
const MERCHANT_BURST = MERCHANT_FACTOR * BURST;
const ANONYMOUS_BURST = 30;

/** The server's monotonic clock, which only tests move. */
const clock = { ms: 0, advance: (seconds: number) => (clock.ms += seconds * 1000) };
const api = useOwnStack({
  config: {
    rate_limit: PER_SECOND,
    monotonic_ms: () => clock.ms,
    trusted_proxies: ['127.0.0.1', '::1'],
  },
});
/** Long enough for every quota to refill. */
afterEach(() => clock.advance(3_600));

const makeKeyClient = async (): Promise<Client> =>
  api.as(await (await api.fixtures.getDemoMerchant()).makeKey());
const limitsOf = ({ headers }: Answer) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
];

/** Sends requests one after another. Returns their statuses. */
async function sendRepeatedly(count: number, send: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await send()).status);
  return statuses;
}
const repeatStatus = (count: number, status: number): number[] => Array(count).fill(status);

describe('the limit of a key', () => {
  it('is in every response: the policy, the rest, and the time until it is full', async () => {
    const client = await makeKeyClient();
    const requests: [status: number, send: () => Promise<Answer>][] = [
      [200, () => client.get('/v2/customers')],
      [
        201,
        () => client.send('POST', '/v2/customers', documentOf('customers', { email: 'a@b.co' })),
      ],
      [404, () => client.get(`/v2/customers/${UNKNOWN_ID}`)],
      [404, () => client.get('/v2/nothing')],
      [400, () => client.get('/v2/customers?nonsense=1')],
      [405, () => client.send('DELETE', '/v2/customers')],
      [406, () => client.get('/v2/customers', { accept: 'text/html' })],
      [422, () => client.send('POST', '/v2/customers', documentOf('customers', {}))],
    ];
    for (const [index, [status, send]] of requests.entries()) {
      const answer = await send();
      expect(answer.status).toBe(status);
      const remaining = BURST - index - 1;
      const wait = Math.ceil((BURST - remaining) / PER_SECOND);
      const [policy, rateLimit] = limitsOf(answer);
      expect(policy).toBe(`"default";q=${BURST};w=5, "merchant";q=${MERCHANT_BURST};w=5`);
      expect(rateLimit).toMatch(
        new RegExp(`^"default";r=${remaining};t=${wait}, "merchant";r=\\d+;t=\\d+$`),
      );
    }
  });

  it('refuses excess requests with 429 and the time to wait, and then continues', async () => {
    const client = await makeKeyClient();
    const listCustomers = () => client.get('/v2/customers');
    expect(await sendRepeatedly(BURST, listCustomers)).toEqual(repeatStatus(BURST, 200));
    const refusal = await listCustomers();
    expect([refusal.status, errorsOf(refusal)]).toEqual([429, [['rate_limited', undefined]]]);
    expect(refusal.headers.get('content-type')).toBe('application/vnd.api+json');
    expect(refusal.headers.get('retry-after')).toBe('1');
    expect(limitsOf(refusal)).toEqual([
      `"default";q=${BURST};w=5, "merchant";q=${MERCHANT_BURST};w=5`,
      '"default";r=0;t=1',
    ]);
    expect(refusal.body.errors?.[0]).toMatchObject({
      detail: 'This key sent too many requests. Try again in 1 s.',
      meta: { policy: 'default', quota: BURST, window_seconds: 5, retry_after_seconds: 1 },
    });
    clock.advance(Number(refusal.headers.get('retry-after')));
    expect(await sendRepeatedly(PER_SECOND + 1, listCustomers)).toEqual([200, 200, 429]);
  });

  it('counts writes and reads alike, whatever their result, and stores nothing beyond it', async () => {
    const client = await makeKeyClient();
    const write = () =>
      client.send('POST', '/v2/customers', documentOf('customers', { email: 'late@example.com' }));
    expect(await sendRepeatedly(BURST, () => client.get('/v2/nothing'))).toEqual(
      repeatStatus(BURST, 404),
    );
    expect((await write()).status).toBe(429);
    const answer = await (await makeKeyClient()).get(
      '/v2/customers?filter[email]=late@example.com',
    );
    expect(answer.body.data).toEqual([]);
  });

  it('does not affect other keys, also of the same merchant', async () => {
    const [busyClient, quietClient] = [await makeKeyClient(), await makeKeyClient()];
    await sendRepeatedly(BURST + 5, () => busyClient.get('/v2/customers'));
    expect((await busyClient.get('/v2/customers')).status).toBe(429);
    expect(limitsOf(await quietClient.get('/v2/customers'))[1]).toContain(
      `"default";r=${BURST - 1};t=1, `,
    );
  });
});

describe('the limit of a merchant', () => {
  const makeClientsOf = (
    merchant: Merchant,
    mode: 'live' | 'sandbox' = 'sandbox',
  ): Promise<Client[]> =>
    Promise.all(
      Array.from({ length: MERCHANT_FACTOR + 1 }, async () =>
        api.as(await merchant.makeKey({ mode })),
      ),
    );

  it('is four times that of a key, for any number of keys', async () => {
    const clients = await makeClientsOf(await api.fixtures.makeMerchant());
    const lastClient = clients.pop() as Client;
    for (const client of clients) {
      expect(await sendRepeatedly(BURST, () => client.get('/v2/customers'))).toEqual(
        repeatStatus(BURST, 200),
      );
    }
    const refusal = await lastClient.get('/v2/customers');
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1']);
    expect(limitsOf(refusal)[1]).toBe(`"default";r=${BURST - 1};t=1, "merchant";r=0;t=1`);
    expect(refusal.body.errors?.[0]).toMatchObject({
      detail: 'This merchant, with all its keys, sent too many requests. Try again in 1 s.',
      meta: { policy: 'merchant', quota: MERCHANT_BURST },
    });
    clock.advance(1);
    const laterAnswer = await lastClient.get('/v2/customers');
    expect(limitsOf(laterAnswer)[1]).toBe(`"default";r=${BURST - 1};t=1, "merchant";r=7;t=5`);
  });

  it('is per mode and merchant', async () => {
    const merchant = await api.fixtures.makeMerchant();
    for (const client of await makeClientsOf(merchant))
      await sendRepeatedly(BURST, () => client.get('/v2/customers'));
    const otherClients = [
      api.as(await merchant.makeKey({ mode: 'live' })),
      api.as(await (await api.fixtures.makeMerchant()).makeKey()),
    ];
    for (const client of otherClients) expect((await client.get('/v2/customers')).status).toBe(200);
  });

  it('is not used up by a key beyond its own', async () => {
    const merchant = await api.fixtures.makeMerchant();
    const [busyClient, quietClient] = (await makeClientsOf(merchant)) as [Client, Client];
    await sendRepeatedly(MERCHANT_BURST + 1, () => busyClient.get('/v2/customers'));
    expect(limitsOf(await quietClient.get('/v2/customers'))[1]).toContain(
      `"merchant";r=${MERCHANT_BURST - BURST - 1};`,
    );
  });
});

describe('the limit of readers', () => {
  const readFrom = (path: string, ip: string, headers = {}) =>
    api.client.get(path, { 'x-forwarded-for': ip, authorization: null, ...headers });

  it.each([
    ['/v2/openapi.json', '203.0.113.11'],
    ['/api/openapi', '203.0.113.12'],
  ])('of %s is per address, and separate from that of guesses', async (path, ip) => {
    const answer = await readFrom(path, ip);
    expect([answer.status, ...limitsOf(answer)]).toEqual([
      200,
      '"documents";q=30;w=30',
      '"documents";r=29;t=1',
    ]);
    // The entity tag avoids more copies of the document, which would make this test slow.
    const etagHeaders = { 'if-none-match': answer.headers.get('etag') };
    expect(await sendRepeatedly(ANONYMOUS_BURST, () => readFrom(path, ip, etagHeaders))).toEqual([
      ...repeatStatus(ANONYMOUS_BURST - 1, 304),
      429,
    ]);
    expect((await readFrom('/v2/customers', ip)).status).toBe(401);
    clock.advance(1);
    expect((await readFrom(path, ip)).status).toBe(200);
  });
});

describe('the limit of an address', () => {
  const visit = (path: string, ip: string) => {
    const { baseUrl, payUrl } = api.stack;
    const url = path.startsWith('/pay') || path.startsWith('/frame') ? payUrl : baseUrl;
    const headers = { host: new URL(url).host, 'x-forwarded-for': ip };
    return rawRequest(url, { path, headers });
  };

  it.each([
    ['/pay/no-payment?key=none', 'forms', 240],
    ['/frame/v1/status', 'form_calls', 3_000],
    ['/livez', 'health', 600],
    ['/readyz', 'health', 600],
    ['/healthz', 'health', 600],
    ['/metrics', 'health', 600],
  ])('counts %s', async (path, name, max) => {
    const { headers } = await visit(path, `198.51.100.${path.length}`);
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
      `"${name}";q=${max};w=60`,
      `"${name}";r=${max - 1};t=1`,
    ]);
  });

  it.each([
    ['a card form', '/pay/no-payment?key=none', 240, 404],
    ['health', '/livez', 600, 200],
  ])(
    'refuses further requests for %s until a minute has passed',
    async (_title, path, max, usual) => {
      const ip = `203.0.113.${max % 100}`;
      const statuses = new Set<number>();
      for (let sent = 0; sent < max; sent++) statuses.add((await visit(path, ip)).status);
      expect([...statuses]).toEqual([usual]);
      const refusal = await visit(path, ip);
      expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '1']);
      expect((await visit(path, '203.0.113.99')).status).toBe(usual);
      clock.advance(60);
      expect((await visit(path, ip)).status).toBe(usual);
    },
  );

  it('shows a page in place of a refused form', async () => {
    const ip = '203.0.113.31';
    let page = await visit('/pay/none?key=none', ip);
    while (page.status !== 429) page = await visit('/pay/none?key=none', ip);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('<code>rate_limited</code>');
  });
});

describe('the limit of requests without a valid key', () => {
  const guess = (ip: string, authorization = `Bearer ept_sandbox_s${'x'.repeat(32)}`) =>
    api.client.get('/v2/customers', { authorization, 'x-forwarded-for': ip });

  it('is in the 401, and guesses beyond it get 429', async () => {
    const answer = await guess('203.0.113.1');
    expect(answer.status).toBe(401);
    expect(limitsOf(answer)).toEqual(['"unauthorized";q=30;w=30', '"unauthorized";r=29;t=1']);
    expect(await sendRepeatedly(ANONYMOUS_BURST, () => guess('203.0.113.1'))).toEqual([
      ...repeatStatus(ANONYMOUS_BURST - 1, 401),
      429,
    ]);
    const refusal = await guess('203.0.113.1');
    expect([refusal.headers.get('retry-after'), refusal.body.errors?.[0]?.meta?.policy]).toEqual([
      '1',
      'unauthorized',
    ]);
    clock.advance(1);
    expect(await sendRepeatedly(2, () => guess('203.0.113.1'))).toEqual([401, 429]);
  });

  it.each([
    ['none at all', ' '],
    ['a malformed one', 'Bearer 1234'],
  ])('counts requests with %s', async (_title, authorization) => {
    const ip = '203.0.113.2';
    await sendRepeatedly(ANONYMOUS_BURST, () => guess(ip, authorization));
    expect((await guess(ip, authorization)).status).toBe(429);
  });

  it('takes no address from a header of an anonymous client', async () => {
    const guessFromForgedIp = (index: number) => guess(`198.51.100.${index}, 203.0.113.6`);
    const statuses = [];
    for (let index = 0; index <= ANONYMOUS_BURST; index++)
      statuses.push((await guessFromForgedIp(index)).status);
    expect(statuses).toEqual([...repeatStatus(ANONYMOUS_BURST, 401), 429]);
    expect((await guess('::ffff:203.0.113.6')).status).toBe(429);
  });

  it('is per address, and for IPv6 per customer network', async () => {
    await sendRepeatedly(ANONYMOUS_BURST, () => guess('2001:db8:1:2::1'));
    expect((await guess('2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await guess('2001:db8:1:3::1')).status).toBe(401);
    expect((await guess('203.0.113.3')).status).toBe(401);
  });

  it('does not count valid keys, and a key in use passes while others guess at its address', async () => {
    const ip = '203.0.113.4';
    const knownClient = await makeKeyClient();
    const listCustomers = (client: Client) =>
      client.get('/v2/customers', { 'x-forwarded-for': ip });
    expect((await listCustomers(knownClient)).status).toBe(200);
    expect(await sendRepeatedly(ANONYMOUS_BURST + 1, () => guess(ip))).toEqual([
      ...repeatStatus(ANONYMOUS_BURST, 401),
      429,
    ]);
    clock.advance(0.5);
    expect((await listCustomers(knownClient)).status).toBe(200);
    const newClient = await makeKeyClient();
    expect((await listCustomers(newClient)).status).toBe(429);
    clock.advance(1);
    expect((await listCustomers(newClient)).status).toBe(200);
  });

  it('counts guesses at sessions before they are looked up, and a session in use passes', async () => {
    const ip = '203.0.113.8';
    const { id } = await api.fixtures.getDemoMerchant();
    const headers = { 'florin-merchant': id, 'florin-mode': 'sandbox', 'x-forwarded-for': ip };
    const listCustomers = (browser: Browser) => browser.get('/v2/customers', headers);
    const openSession = () => signIn(api.stack.baseUrl, api.stack.credentials.account);
    const [knownBrowser, newBrowser] = [await openSession(), await openSession()];
    expect((await listCustomers(knownBrowser)).status).toBe(200);
    const unknownBrowser = openBrowser(api.stack.baseUrl, `florin_session=${'x'.repeat(43)}`);
    const statuses = [];
    for (let index = 0; index <= ANONYMOUS_BURST; index++)
      statuses.push((await listCustomers(unknownBrowser)).status);
    expect(statuses).toEqual([...repeatStatus(ANONYMOUS_BURST, 401), 429]);
    expect([
      (await listCustomers(knownBrowser)).status,
      (await listCustomers(newBrowser)).status,
    ]).toEqual([200, 429]);
    clock.advance(1);
    expect((await listCustomers(newBrowser)).status).toBe(200);
  });

  it('counts concurrent first requests of a key once', async () => {
    const ip = '203.0.113.7';
    const merchant = await api.fixtures.makeMerchant();
    const key = await merchant.makeKey();
    const count = ANONYMOUS_BURST + 10;
    const pendingAnswers = await api.fixtures.db.transaction(async (tx) => {
      await tx.query('lock table merchant_tokens', []);
      const requests = Array.from({ length: count }, () => guess(ip, `Bearer ${key}`));
      await setTimeout(ARRIVAL_MS);
      return requests;
    });
    // Beyond its limit a valid key gets the limit of keys, not the limit of anonymous addresses.
    const policies = (await Promise.all(pendingAnswers)).map((answer) => limitsOf(answer)[0]);
    for (const policy of policies) expect(policy).toContain('"default"');
    const guesses = Array.from({ length: count }, () => guess(ip));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      ...repeatStatus(ANONYMOUS_BURST, 401),
      ...repeatStatus(10, 429),
    ]);
  });

  it('counts an expired key from its expiry on', async () => {
    const ip = '203.0.113.5';
    const { id, attributes } = await api.client.make('merchant_tokens', {
      name: 'Short',
      context: 'secret',
    });
    const guessToken = () => guess(ip, `Bearer ${attributes.token}`);
    expect((await guessToken()).status).toBe(200);
    await api.client.send('PATCH', `/v2/merchant_tokens/${id}/revoke`);
    await sendRepeatedly(ANONYMOUS_BURST, guessToken);
    expect((await guessToken()).status).toBe(429);
  });
});
