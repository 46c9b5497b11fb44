import { beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE } from '../../src/features/search/payments/sql/sample.ts';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  makeAddress,
  makeCustomer,
  makeDemand,
  makeMethod,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { openMember } from '../support/open-member.ts';

const api = useApi();
let browser: Browser;
let merchantId: string;
let card: ResourceObject;
/** Names of the payments that the tests expect, by id. */
const names = new Map<string, string>();

interface StoredPayment {
  readonly status?: string;
  readonly cents?: number;
  readonly currency?: string;
  readonly days_ago?: number;
  readonly payer?: string;
  readonly method?: string;
}

/** Stores payments with a reference, without the ways of the product: states and times are the test's. */
async function store(reference: string, payment: StoredPayment, count = 1): Promise<string[]> {
  const { status = 'succeeded', cents = 100, currency = 'USD', days_ago = 0 } = payment;
  const isApproved = status === 'succeeded' ? cents : 0;
  const rows = await api.fixtures.db.query(
    `insert into payment_demands (merchant_id, mode, id, status, confirmed, amount_cents, amount_currency,
       amount_refunded_cents, amount_authorised_cents, amount_captured_cents, fee_cents, capture_method, email_receipt,
       purchase_reference, cvc2_check, address_line1_verification, postal_code_verification, unsent_count,
       payer_id, payment_method_id, failure_reason, created_at, updated_at)
     select $1, 'sandbox', uuid7(t.at), $2, true, $3, $4, 0, $5, $5, 0, 'automatic', false, $6, 'unchecked',
       'unchecked', 'unchecked', 0, $7, $8, case when $2 = 'failed' then 'insufficient_funds' end, t.at, t.at
     from generate_series(1, $9::int) n,
       lateral (select now() - $10::int * interval '1 day' - n * interval '1 second' as at) t
     returning id`,
    [
      ...[merchantId, status, cents, currency, isApproved, reference],
      ...[payment.payer ?? null, payment.method ?? null, count, days_ago],
    ],
  );
  return rows.map(({ id }) => id as string);
}

async function storeNamed(name: string, payment: StoredPayment): Promise<void> {
  const [id] = await store(`ref-${name}`, payment);
  names.set(id as string, name);
}

const scopeHeaders = () => ({ 'florin-merchant': merchantId, 'florin-mode': 'sandbox' });
const fetchDashboard = (path: string, caller = browser) =>
  caller.get(`/dashboard/api/${path}`, scopeHeaders());
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
/** The tab "All", as the dashboard asks for it. */
const ALL = 'filter[status][ne]=incomplete,ready';

/** Names of the payments of a list. Others have none. */
async function listed(query: string, caller = browser): Promise<string[]> {
  const { status, body } = await fetchDashboard(`payments?${query}`, caller);
  expect([status, body.errors]).toEqual([200, undefined]);
  const ids = (body.data as { readonly id: string }[]).map(({ id }) => id);
  return ids.flatMap((id) => names.get(id) ?? []).sort();
}

async function countsOf(query: string): Promise<Record<string, number>> {
  const { body } = await fetchDashboard(`payments/counts?${query}`);
  const counts = Object.entries(body as Record<string, { readonly count: number }>);
  return Object.fromEntries(counts.map(([tab, { count }]) => [tab, count]));
}

beforeAll(async () => {
  const { client, fixtures, stack, credentials } = { ...api, credentials: api.stack.credentials };
  merchantId = (await fixtures.getDemoMerchant()).id;
  browser = await signIn(stack.baseUrl, credentials.account);
  const ada = await makeCustomer(client, { name: 'Ada Lovelace', email: 'ada.l@engines.example' });
  const bob = await makeCustomer(client, { name: 'Bob Marsh', email: 'bob@wires.example' });
  card = await makeMethod(client, 'mastercard', { customer: ada });
  const billing_address = await makeAddress(client, {}, { customer: ada });
  const parties = { payer: ada, payment_method: card, billing_address };
  const demand = await makeDemand(client, { confirmed: true, amount_cents: 500 }, parties);
  const paid = await waitForOutcome(client, demand.id);
  names.set(paid.id, 'refunded');
  const refund = await makeRefund(client, paid, { amount_cents: 100 });
  await waitForOutcome(client, refund.id, 'refund_demands');
  const byAda = { payer: ada.id, method: card.id };
  await storeNamed('new', { ...byAda, cents: 4200 });
  await storeNamed('old', { ...byAda, cents: 700, days_ago: 60 });
  await storeNamed('failed', { ...byAda, status: 'failed' });
  await storeNamed('euro', { ...byAda, currency: 'EUR', cents: 4200 });
  await storeNamed('yen', { ...byAda, currency: 'JPY', cents: 42 });
  await storeNamed('intent', { ...byAda, status: 'incomplete' });
  await storeNamed('bob', { payer: bob.id, status: 'failed' });
});

const PAID = ['euro', 'new', 'old', 'refunded', 'yen'];

describe.each([
  ['among the newest payments', 0],
  ['among older payments', SAMPLE + 1],
])('a search of payments %s', (_title, newer) => {
  beforeAll(async () => {
    await store('hay', { status: 'failed', cents: 5 }, newer);
  });

  it.each<[text: string, filters: string, found: string[]]>([
    ['lovelace', ALL, [...PAID, 'failed']],
    ['lovelace', '', [...PAID, 'failed', 'intent']],
    ['ADA love', 'filter[status]=failed', ['failed']],
    [
      'lovelace',
      `${ALL}&filter[created_at][gte]=${daysAgo(30)}`,
      ['euro', 'failed', 'new', 'refunded', 'yen'],
    ],
    ['lovelace', `${ALL}&filter[created_at][lt]=${daysAgo(30)}`, ['old']],
    ['ada.l@engines.example', 'filter[amount_currency]=EUR', ['euro']],
    ['lovelace', 'filter[status]=incomplete,ready', ['intent']],
    ['ref-int', 'filter[status]=incomplete,ready', ['intent']],
    ['ref-int', ALL, []],
    ['lovelace', 'filter[refund_demands.status]=succeeded', ['refunded']],
    ['42', ALL, ['euro', 'new', 'yen']],
    ['$42.00', `${ALL}&filter[amount_currency]=USD`, ['new']],
    ['42', `filter[payment_method.kind]=visa`, []],
    ['f-ol', ALL, ['old']],
    ['ref-bob', 'filter[status]=succeeded', []],
    ['marsh', ALL, ['bob']],
    ['nobody', ALL, []],
    ['t', 'filter[status]=incomplete,ready', []],
  ])('for %j with %j finds %j', async (text, filters, found) => {
    expect(await listed(`q=${encodeURIComponent(text)}&${filters}`)).toEqual(found.toSorted());
  });

  it('finds the last four digits of a card, and an id, in a tab only', async () => {
    const { last_four } = card.attributes;
    expect(await listed(`q=${last_four}&filter[status]=failed`)).toEqual(['failed']);
    const id = [...names].find(([, name]) => name === 'old')?.[0];
    expect(await listed(`q=${id}&filter[status]=succeeded`)).toEqual(['old']);
    expect(await listed(`q=${id}&filter[status]=failed`)).toEqual([]);
  });

  it('is counted by the tabs, with the filters', async () => {
    expect(await countsOf('q=lovelace')).toMatchObject({
      ...{ all: 6, succeeded: 5, refunded: 1, failed: 1, disputed: 0, incomplete: 1 },
    });
    expect(await countsOf('q=lovelace&filter[amount_currency]=EUR')).toMatchObject({
      ...{ all: 1, succeeded: 1, refunded: 0, failed: 0, incomplete: 0 },
    });
  });

  it('has pages in the order of the list', async () => {
    const first = (
      await fetchDashboard(`payments?q=lovelace&${ALL}&page[size]=4&sort=amount_cents`)
    ).body;
    expect(first.meta.search).toEqual({ by: ['name', 'reference'], is_complete: true });
    const { pathname, search } = new URL(first.links.next);
    const second = (await browser.get(pathname + search, scopeHeaders())).body;
    const amounts = [...first.data, ...second.data].map((it) => it.attributes.amount_cents);
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    expect([first.data.length, second.data.length]).toEqual([4, 2]);
  });

  it.each([
    ['with columns', '&columns=reference,payer_name'],
    ['as in the interface', ''],
  ])('is what an export has, %s', async (_what, columns) => {
    const query = `q=lovelace&filter[status]=failed${columns}`;
    const { status, body } = await fetchDashboard(`exports/payment_demands.csv?${query}`);
    expect(status).toBe(200);
    const [, ...lines] = String(body).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('ref-failed');
  });

  it('is summed for a comparison', async () => {
    const { body } = await fetchDashboard(
      `payments/sums?q=lovelace&filter[created_at][gte]=${daysAgo(90)}&filter[amount_currency]=USD,EUR`,
    );
    const usd = body.currencies.find(({ currency }: { currency: string }) => currency === 'USD');
    expect([body.is_complete, usd.approved]).toEqual([true, 3]);
    expect(body.currencies).toContainEqual({ currency: 'EUR', approved: 1, volume_cents: '4200' });
  });
});

describe('a frequent text', () => {
  it('is tested in the order of the list, page by page', async () => {
    const page = (await fetchDashboard('payments?q=hay&filter[status]=failed&page[size]=500')).body;
    expect([page.data.length, page.meta.search.is_complete]).toEqual([500, true]);
    const { pathname, search } = new URL(page.links.next);
    const next = (await browser.get(pathname + search, scopeHeaders())).body;
    expect(next.data).toHaveLength(500);
    expect(new Set([...page.data, ...next.data].map(({ id }) => id)).size).toBe(1_000);
    expect((await fetchDashboard('payments/counts?q=hay')).body).toMatchObject({
      failed: { count: 1000, is_minimum: true },
      succeeded: { count: 0, is_minimum: false },
    });
  });
});

describe('a member', () => {
  it('finds no payment by what the member may not read', async () => {
    const permissions = ['transaction.payment_demands.read'];
    const { browser: member } = await openMember(api, { merchant_id: merchantId, permissions });
    expect(await listed('q=lovelace', member)).toEqual([]);
    expect(await listed('q=ref-new', member)).toEqual(['new']);
    const { body } = await fetchDashboard('payments?q=4242', member);
    expect(body.meta.search.by).toEqual(['amount', 'reference']);
  });
});

it.each([
  ['a text that is too long', `q=${'x'.repeat(101)}`, 422, 'q'],
  ['an unknown filter', 'q=ada&filter[mugs]=1', 400, 'filter[mugs]'],
])('a search is refused with %s', async (_what, query, expectedStatus, parameter) => {
  for (const path of [
    'payments',
    'payments/counts',
    'payments/sums',
    'exports/payment_demands.csv',
  ]) {
    const { status, body } = await fetchDashboard(`${path}?${query}`);
    expect([path, status, body.errors?.[0].source]).toEqual([path, expectedStatus, { parameter }]);
  }
});
