import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  makeCapturedPayment,
  makeCustomer,
  makeDispute,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';

const api = useApi();
let browser: Browser;
let merchantId: string;
let payment: ResourceObject;

const scopeHeaders = () => ({ 'florin-merchant': merchantId, 'florin-mode': 'sandbox' });
const fetchDashboard = (path: string) => browser.get(`/dashboard/api/${path}`, scopeHeaders());
/** Headers of a plain download, without those of the dashboard's scripts. */
const bareHeaders = { 'florin-dashboard': null, origin: null };

beforeAll(async () => {
  merchantId = (await api.fixtures.getDemoMerchant()).id;
  browser = await signIn(api.stack.baseUrl, api.stack.credentials.account);
  payment = await makeCapturedPayment(api.client);
  const refund = await makeRefund(api.client, payment, { amount_cents: 100 });
  await waitForOutcome(api.client, refund.id, 'refund_demands');
});

describe('the overview', () => {
  it('shows payments and refunds', async () => {
    const { status, body } = await fetchDashboard('overview?days=3');
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
    const [currentOverview, previousOverview] = [
      await fetchDashboard('overview?days=7'),
      await fetchDashboard('overview?days=7&before=1'),
    ];
    const daysOf = ({ body }: typeof currentOverview) =>
      (Date.parse(body.to) - Date.parse(body.from)) / 86_400_000;
    expect([daysOf(currentOverview), daysOf(previousOverview)]).toEqual([6, 6]);
    expect(Date.parse(currentOverview.body.from) - Date.parse(previousOverview.body.to)).toBe(
      86_400_000,
    );
    expect([
      currentOverview.body.currencies[0]?.approved,
      previousOverview.body.currencies,
    ]).toEqual([1, []]);
  });

  it.each([
    ['without days', '', 'days'],
    ['of no day', 'days=0', 'days'],
    ['of more days than a leap year has', 'days=367', 'days'],
    ['of days that are no integer', 'days=7.5', 'days'],
    ['of days long before', 'days=7&before=13', 'before'],
  ])('is refused %s', async (_title, query, parameter) => {
    const { status, body } = await fetchDashboard(`overview?${query}`);
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
      [merchantId, payment.id],
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

describe('the rules for evidence', () => {
  const rulesOf = (id: string, headers = {}) =>
    browser.get(`/dashboard/api/disputes/${id}/evidence_rules`, { ...scopeHeaders(), ...headers });

  it('are those of the interface where the processor has none, in one mode only', async () => {
    const dispute = await makeDispute(api.client);
    const { status, body } = await rulesOf(dispute.id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      file_bytes_max: { 'application/pdf': 5_000_000 },
      one_file_of: [],
    });
    expect(body.data.texts).toContainEqual({ names: ['refund_policy'], chars_max: null });
    expect((await rulesOf(dispute.id, { 'florin-mode': 'live' })).status).toBe(404);
    expect((await rulesOf('x')).status).toBe(404);
  });
});

describe('a list as a file', () => {
  const fetchFile = (query: string, headers = {}) =>
    browser.get(`/dashboard/api/exports/${query}`, { ...bareHeaders, ...headers });

  it('has every record of the list', async () => {
    for (let count = 0; count < 3; count += 1) await makeCustomer(api.client, { name: '=1+1' });
    const { status, headers, body } = await fetchFile(
      `customers.csv?merchant=${merchantId}&mode=sandbox`,
    );
    const lines = body.trim().split('\r\n');
    const customers = (await api.client.get('/v2/customers')).body.data as ResourceObject[];
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="customers-sandbox.csv"',
    ]);
    expect(lines[0]).toMatch(/^id,.*\bname\b/);
    expect(lines.length - 1).toBe(customers.length);
    expect(body).toContain(`'=1+1`);
  });

  it('has the filters and the order of the list', async () => {
    const query = `merchant=${merchantId}&mode=sandbox&filter[id]=${payment.id}&sort=-created_at`;
    const { body } = await fetchFile(`payment_demands.csv?${query}`);
    expect(body.trim().split('\r\n')).toHaveLength(2);
    expect(body).toContain(payment.id);
  });

  it.each([
    ['of an unknown type', () => `mugs.csv?merchant=${merchantId}&mode=sandbox`, 404],
    ['without a merchant', () => 'customers.csv', 400],
    [
      'with an unknown filter',
      () => `customers.csv?merchant=${merchantId}&mode=sandbox&filter[mug]=1`,
      400,
    ],
  ])('is none %s', async (_title, query, status) => {
    expect((await fetchFile(query())).status).toBe(status);
  });

  it('is refused without a session, and from other sites', async () => {
    const query = `customers.csv?merchant=${merchantId}&mode=sandbox`;
    const anonymousAnswer = await openBrowser(api.stack.baseUrl).get(
      `/dashboard/api/exports/${query}`,
    );
    const crossSiteAnswer = await fetchFile(query, { 'sec-fetch-site': 'cross-site' });
    expect([anonymousAnswer.status, crossSiteAnswer.status]).toEqual([401, 403]);
  });
});
