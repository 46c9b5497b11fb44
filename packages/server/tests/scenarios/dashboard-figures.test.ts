import type { LedgerPage } from '@florin/contract/ledger-page.ts';
import type { PayoutLines } from '@florin/contract/payout-lines.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { readLedgerTotals } from '../../src/features/ledger/sql/ledger-totals.ts';
import { useApi } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/browser.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  makeCapturedPayment,
  makeCustomer,
  makeDemand,
  makeDispute,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { addSettledDay } from '../support/settled-day.ts';

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

describe('the ledger of an account', () => {
  it('has signs and the balance after each transfer', async () => {
    const { status, body } = await fetchDashboard('ledger?currency=USD&account=merchant');
    const { lines } = body as LedgerPage;
    const captured = Number(payment.attributes.amount_captured_cents);
    const fee = Number(payment.attributes.fee_cents);
    expect([status, new Map(lines.map((line) => [line.kind, Number(line.amount_cents)]))]).toEqual([
      200,
      new Map([
        ['refund_reserved', -100],
        ['fee', -fee],
        ['captured', captured],
      ]),
    ]);
    const balances = lines.map(({ balance_cents }) => Number(balance_cents));
    // Payment and fee have the same time, so that either may come first.
    expect(balances.slice(0, 2)).toEqual([captured - fee - 100, captured - fee]);
    expect(balances[2]).toBe(Number(lines[2]?.amount_cents));
    expect((await fetchDashboard('ledger?currency=EUR')).body).toEqual({ lines: [], next: null });
  });

  it('has the transfers of a period, and their total by currency', async () => {
    const fetchFees = async (period: string) =>
      (await fetchDashboard(`ledger?currency=USD&account=fees&${period}`)).body as LedgerPage;
    const fees = await fetchFees('from=2020-01-01T00:00:00Z');
    const cents = String(payment.attributes.fee_cents);
    expect(fees.lines.map(({ amount_cents }) => amount_cents)).toEqual([cents]);
    expect(fees.totals).toEqual([{ currency: 'USD', amount_cents: cents }]);
    const at = fees.lines[0]?.created_at;
    expect(await fetchFees(`before=${at}`)).toEqual({ lines: [], next: null, totals: [] });
    expect((await fetchFees(`from=${at}`)).lines).toHaveLength(1);
  });

  it('has no total of a period with more transfers than are summed', async () => {
    const totals = await readLedgerTotals(
      api.fixtures.db,
      { merchant_id: merchantId, mode: 'sandbox' },
      { account: 'fees', period: {} },
      2,
    );
    expect(totals).toBeNull();
  });

  it.each([
    ['from no instant', 'currency=USD&from=yesterday', 'from', 422],
    ['without a currency', '', 'currency', 422],
    ['in no currency', 'currency=dollars', 'currency', 422],
    ['of an account that no merchant has', 'currency=USD&account=cash', 'account', 422],
    ['after no cursor', 'currency=USD&after=yesterday', 'after', 400],
  ])('is refused %s', async (_title, query, parameter, expectedStatus) => {
    const { status, body } = await fetchDashboard(`ledger?${query}`);
    expect([status, body.errors[0].source]).toEqual([expectedStatus, { parameter }]);
  });
});

describe('the tabs of the payments list', () => {
  const fetchCounts = (mode: string, query = '') =>
    browser.get(`/dashboard/api/payments/counts?${query}`, {
      ...scopeHeaders(),
      'florin-mode': mode,
    });
  const countsOf = async (mode: string, query?: string) => (await fetchCounts(mode, query)).body;

  it('count their payments: refunded ones twice, incomplete ones apart', async () => {
    const none = { count: 0, is_minimum: false };
    const one = { count: 1, is_minimum: false };
    await makeDemand(api.client);
    expect(await countsOf('sandbox')).toEqual({
      ...{ all: one, succeeded: one, refunded: one },
      ...{ failed: none, disputed: none, incomplete: one },
    });
    expect(await countsOf('live')).toMatchObject({ all: none, incomplete: none });
  });

  it.each([
    ['filter[amount_currency]=USD', { all: 1, succeeded: 1, refunded: 1, failed: 0 }],
    ['filter[amount_currency]=EUR', { all: 0, succeeded: 0, refunded: 0, failed: 0 }],
    ['filter[created_at][lt]=2020-01-01T00:00:00Z', { all: 0, succeeded: 0, incomplete: 0 }],
    ['filter[status]=incomplete', { all: 1, succeeded: 1, refunded: 1 }],
    ['tab=refunded&filter[status]=failed', { all: 1, succeeded: 1, refunded: 0 }],
  ])('count what they show under the filters of the list: %s', async (query, expected) => {
    const counts = Object.entries(await countsOf('sandbox', query));
    const byTab = counts.map(([tab, count]) => [tab, (count as { count: number }).count]);
    expect(Object.fromEntries(byTab)).toMatchObject(expected);
  });

  it('are refused with a filter that the list refuses', async () => {
    const { status, body } = await fetchCounts('sandbox', 'filter[mugs]=1');
    expect([status, body.errors[0].source]).toEqual([400, { parameter: 'filter[mugs]' }]);
  });

  it('leave out a count that takes too long', async () => {
    const counts = await api.fixtures.db.transaction(async (tx) => {
      await tx.query('lock table refund_demands in access exclusive mode', []);
      return countsOf('sandbox');
    });
    expect(Object.keys(counts)).toEqual(['all', 'succeeded', 'failed', 'disputed', 'incomplete']);
  });

  it('count up to a limit', async () => {
    await api.fixtures.db.query(
      `insert into payment_demands
       select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
       from payment_demands p, generate_series(1, 1001)
       where p.merchant_id = $1 and p.status = 'incomplete'`,
      [merchantId],
    );
    expect((await countsOf('sandbox')).incomplete).toEqual({ count: 1000, is_minimum: true });
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
      expect.stringMatching(/^attachment; filename="customers-sandbox-\d{4}-\d\d-\d\d\.csv"$/),
    ]);
    expect(lines[0]).toMatch(/^id,.*\bname\b/);
    expect(lines.length - 1).toBe(customers.length);
    expect(body).toContain(`'=1+1`);
  });

  it('has the filters and the order of the list', async () => {
    const query = `merchant=${merchantId}&mode=sandbox&filter[id]=${payment.id}&sort=-created_at`;
    const { body, headers } = await fetchFile(`payment_demands.csv?${query}`);
    expect(body.trim().split('\r\n')).toHaveLength(2);
    expect(headers.get('content-disposition')).toContain('filename="payments-sandbox-');
    expect(body).toContain(payment.id);
  });

  it('has the chosen columns of payments in words, decimals and local times', async () => {
    const format =
      'columns=created_at,payer_name,amount,currency,captured,refunded,fee,status,card_brand';
    const query = `merchant=${merchantId}&mode=sandbox&filter[id]=${payment.id}`;
    const { body } = await fetchFile(
      `payment_demands.csv?${query}&${format}&timezone=Asia/Tokyo&language=de`,
    );
    const [heads, line, ...others] = body.replace('\uFEFF', '').trim().split('\r\n');
    expect([heads, others]).toEqual([
      'Erstellt (Asia/Tokyo),Zahler,Betrag,Währung,Eingezogener Betrag,Erstattet,Gebühr,Status,Karte',
      [],
    ]);
    const time = new Date(String(payment.attributes.created_at));
    const local = new Date(time.getTime() + 9 * 3_600_000).toISOString();
    expect(line).toMatch(new RegExp(`^${local.slice(0, 10)} ${local.slice(11, 19)},Ada,`));
    expect(line).toMatch(/,25\.00,USD,25\.00,1\.00,1\.05,Teilweise erstattet,Visa$/);
  });

  it.each([
    ['of an unknown column', 'columns=amount,mugs', 'columns'],
    ['of no column', 'columns=', 'columns'],
    ['in no time zone', 'columns=amount&timezone=Mars', 'timezone'],
    ['in an unknown language', 'columns=amount&language=xx', 'language'],
  ])('of payments is none %s', async (_title, format, parameter) => {
    const { status, body } = await fetchFile(
      `payment_demands.csv?merchant=${merchantId}&mode=sandbox&${format}`,
    );
    expect([status, body.errors[0].source]).toEqual([422, { parameter }]);
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

describe('the file of a payout', () => {
  const fetchLines = (id: string, query = '') =>
    browser.get(
      `/dashboard/api/payouts/${id}/lines.csv?merchant=${merchantId}&mode=sandbox${query}`,
      bareHeaders,
    );
  let payoutId: string;
  beforeAll(async () => {
    await addSettledDay(api.fixtures, merchantId, payment.id);
    payoutId = (await api.client.get('/v2/payouts')).body.data[0].id;
  });

  it('has lines with payment, payer and card, and ends with the sum', async () => {
    const { status, body, headers } = await fetchLines(
      payoutId,
      '&timezone=Asia/Tokyo&language=de',
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/filename="payout-.*-USD-sandbox\.csv"/);
    const [heads, ...lines] = (body as string).replace('\uFEFF', '').trim().split('\r\n');
    expect(heads).toBe(
      'Datum (Asia/Tokyo),Art,Zahlungs-ID,Referenz,Zahler,Karte,Brutto,Gebühr,Netto,Währung',
    );
    const cells = lines.map((line) => line.split(',').slice(1));
    expect(cells).toEqual(
      expect.arrayContaining([
        ['Gebühr', payment.id, 'order-1', 'Ada', 'Visa •••• 0004', '0.00', '1.05', '-1.05', 'USD'],
        [
          'Erstattung',
          payment.id,
          'order-1',
          'Ada',
          'Visa •••• 0004',
          '-1.00',
          '0.00',
          '-1.00',
          'USD',
        ],
      ]),
    );
    expect([cells.at(-1)?.[0], cells.at(-1)?.[7]]).toEqual(['Summe der Auszahlung', '1.00']);
    const nets = cells.slice(0, -1).map((line) => Math.round(Number(line[7]) * 100));
    expect(nets.reduce((sum, net) => sum + net, 0)).toBe(100);
  });

  it('begins with lines that the page of the payout shows, above the same sum', async () => {
    const { status, body } = await fetchDashboard(`payouts/${payoutId}/lines`);
    const { lines, all, unassigned_cents } = body as PayoutLines;
    expect([status, all?.count, all?.sum.net_cents]).toEqual([200, lines.length, '100']);
    const nets = lines.map(({ net_cents }) => Number(net_cents));
    expect(nets.reduce((sum, net) => sum + net, Number(unassigned_cents))).toBe(100);
    expect(lines.find(({ kind }) => kind === 'fee')).toMatchObject({
      ...{ payment_demand_id: payment.id, payer_name: 'Ada' },
      card: { kind: 'visa', last_four: '0004' },
      ...{ gross_cents: '0', fee_cents: '105', net_cents: '-105' },
    });
    expect((await fetchDashboard(`payouts/${merchantId}/lines`)).status).toBe(404);
  });

  it('is followed by the next payout when the day is settled', async () => {
    const { body } = await fetchDashboard('payouts/next');
    const dayAfter = new Date(Date.parse(body.settled_on) + 86_400_000).toISOString();
    expect([body.not_before.slice(0, 19), body.least_cents]).toEqual([dayAfter.slice(0, 19), 100]);
    const live = { ...scopeHeaders(), 'florin-mode': 'live' };
    expect((await browser.get('/dashboard/api/payouts/next', live)).body).toBeNull();
  });

  it.each([
    ['of another id', () => fetchLines(payment.id), 404],
    ['of no id', () => fetchLines('mugs'), 404],
    ['in no time zone', () => fetchLines(payoutId, '&timezone=Mars'), 422],
    [
      'in the other mode',
      () =>
        browser.get(
          `/dashboard/api/payouts/${payoutId}/lines.csv?merchant=${merchantId}&mode=live`,
          bareHeaders,
        ),
      404,
    ],
  ])('is none %s', async (_title, answer, status) => {
    expect((await answer()).status).toBe(status);
  });
});
