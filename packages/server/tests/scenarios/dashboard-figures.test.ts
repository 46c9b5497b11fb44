import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCapturedPayment, makeCustomer, makeRefund, waitForOutcome } from '../support/make.ts';

const api = useApi();
let browser: Browser;
let merchant: string;
let payment: ResourceObject;

const scopeHeaders = () => ({ 'florin-merchant': merchant, 'florin-mode': 'sandbox' });
const get = (path: string) => browser.get(`/dashboard/api/${path}`, scopeHeaders());
/** From the day before to the day after, so that midnight does not matter. */
const bare = { 'florin-dashboard': null, origin: null };

beforeAll(async () => {
  merchant = (await api.fixtures.getDemoMerchant()).id;
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
  payment = await makeCapturedPayment(api.client);
  const refund = await makeRefund(api.client, payment, { amount_cents: 100 });
  await waitForOutcome(api.client, refund.id, 'refund_demands');
});

describe('the overview', () => {
  it('shows payments and refunds', async () => {
    const { status, body } = await get('overview?days=3');
    const { amount_cents, amount_currency } = payment.attributes;
    expect([status, body.currencies]).toMatchObject([
      200,
      [
        {
          currency: amount_currency,
          approved: 1,
          declined: 0,
          volume_cents: String(amount_cents),
          refunds: 1,
          refunded_cents: '100',
          declines: [],
        },
      ],
    ]);
  });

  it('has the last days up to today, and as many before them', async () => {
    const [now, before] = [await get('overview?days=7'), await get('overview?days=7&before=1')];
    const daysOf = ({ body }: typeof now) =>
      (Date.parse(body.to) - Date.parse(body.from)) / 86_400_000;
    expect([daysOf(now), daysOf(before)]).toEqual([6, 6]);
    expect(Date.parse(now.body.from) - Date.parse(before.body.to)).toBe(86_400_000);
    expect([now.body.currencies[0]?.approved, before.body.currencies]).toEqual([1, []]);
  });

  it.each([
    ['without days', '', 'days'],
    ['of no day', 'days=0', 'days'],
    ['of more days than a leap year has', 'days=367', 'days'],
    ['of days that are no number', 'days=7.5', 'days'],
    ['of days long before', 'days=7&before=13', 'before'],
  ])('is refused %s', async (_what, query, parameter) => {
    const { status, body } = await get(`overview?${query}`);
    expect([status, body.errors[0].source]).toEqual([422, { parameter }]);
  });
});

describe('the authentications of a payment', () => {
  const authenticationsPath = () => `/dashboard/api/payments/${payment.id}/authentications`;

  it('are listed with their results, and without their cryptograms', async () => {
    expect((await browser.get(authenticationsPath(), scopeHeaders())).body).toEqual([]);
    await api.fixtures.db.query(
      `insert into authentications (merchant_id, mode, id, status, payment_table, payment_id,
         threeds_status, threeds_cryptogram, created_at, updated_at)
       values ($1, 'sandbox', gen_random_uuid(), 'failed', 'payment_demands', $2, 'N', 'proof', now(), now())`,
      [merchant, payment.id],
    );
    const { status, body } = await browser.get(authenticationsPath(), scopeHeaders());
    expect([status, body]).toMatchObject([200, [{ status: 'failed', threeds_status: 'N' }]]);
    expect(JSON.stringify(body)).not.toMatch(/proof|cryptogram|pan/);
  });

  it('are not found in the other mode', async () => {
    const { body } = await browser.get(authenticationsPath(), {
      ...scopeHeaders(),
      'florin-mode': 'live',
    });
    expect(body).toEqual([]);
  });
});

describe('a list as a file', () => {
  const fetchFile = (query: string, headers = {}) =>
    browser.get(`/dashboard/api/exports/${query}`, { ...bare, ...headers });

  it('has every record of the list, in any number, by its address', async () => {
    for (let count = 0; count < 3; count += 1) await makeCustomer(api.client, { name: '=1+1' });
    const { status, headers, body } = await fetchFile(
      `customers.csv?merchant=${merchant}&mode=sandbox`,
    );
    const lines = body.trim().split('\r\n');
    const listed = (await api.client.get('/v2/customers')).body.data as ResourceObject[];
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="customers-sandbox.csv"',
    ]);
    expect(lines[0]).toMatch(/^id,.*\bname\b/);
    expect(lines.length - 1).toBe(listed.length);
    expect(body).toContain(`'=1+1`);
  });

  it('has the filters and the order of the list', async () => {
    const query = `merchant=${merchant}&mode=sandbox&filter[id]=${payment.id}&sort=-created_at`;
    const { body } = await fetchFile(`payment_demands.csv?${query}`);
    expect(body.trim().split('\r\n')).toHaveLength(2);
    expect(body).toContain(payment.id);
  });

  it.each([
    ['of a type that is none', () => `mugs.csv?merchant=${merchant}&mode=sandbox`, 404],
    ['without a merchant', () => 'customers.csv', 400],
    [
      'with a filter that is none',
      () => `customers.csv?merchant=${merchant}&mode=sandbox&filter[mug]=1`,
      400,
    ],
  ])('is none %s', async (_what, query, status) => {
    expect((await fetchFile(query())).status).toBe(status);
  });

  it('is refused without a session, and from other sites', async () => {
    const query = `customers.csv?merchant=${merchant}&mode=sandbox`;
    const anonymous = await openBrowser(api.stack.baseUrl).get(`/dashboard/api/exports/${query}`);
    const sent = await fetchFile(query, { 'sec-fetch-site': 'cross-site' });
    expect([anonymous.status, sent.status]).toEqual([401, 403]);
  });
});
