import type { SearchHit } from '@florin/contract/search.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { RECENT_MAX } from '../../src/features/search/sql/found.ts';
import { useApi } from '../support/api.ts';
import { type Browser, signIn } from '../support/browser.ts';
import {
  eventually,
  makeAddress,
  makeCustomer,
  makeDemand,
  makeLink,
  makeMethod,
  makeSubscription,
  waitForOutcome,
} from '../support/make.ts';
import type { DemoMerchant } from '../support/merchants.ts';
import { openMember } from '../support/open-member.ts';

const api = useApi();
let browser: Browser;
let merchantId: string;
let foreign: DemoMerchant;
/** Names of the records that the tests expect, by id. */
const names = new Map<string, string>();

const named = async <R extends { readonly id: string }>(name: string, record: Promise<R>) => {
  const made = await record;
  names.set(made.id, name);
  return made;
};

/** Stores newer customers and payments, so that the other records are not among the recent ones. */
async function bury(merchant_id: string, mode: string, count: number, word = 'hay'): Promise<void> {
  await api.fixtures.db.query(
    `with people as (
       insert into customers (merchant_id, mode, id, email, name, created_at, updated_at)
       select $1, $2, uuid7(now()), $4 || n || '@example.com', $4 || ' ' || n, now(), now()
       from generate_series(1, $3::int) n returning id)
     insert into payment_demands (merchant_id, mode, id, status, confirmed, amount_cents, amount_currency,
       amount_refunded_cents, fee_cents, capture_method, email_receipt, purchase_reference, cvc2_check,
       address_line1_verification, postal_code_verification, unsent_count, payer_id, created_at, updated_at)
     select $1, $2, uuid7(now()), 'failed', true, 100, 'USD', 0, 0, 'automatic', false,
       $4 || '-' || row_number() over (), 'unchecked', 'unchecked', 'unchecked', 0, id, now(), now() from people`,
    [merchant_id, mode, String(count), word],
  );
}

const search = (
  text: string,
  headers: Record<string, string> = {},
  caller = browser,
  hits?: number,
) =>
  caller.get(`/dashboard/api/search?q=${encodeURIComponent(text)}${hits ? `&hits=${hits}` : ''}`, {
    'florin-merchant': merchantId,
    'florin-mode': 'sandbox',
    ...headers,
  });

/** Names of the found records. Records of the demo and of the hay have none. */
async function foundBy(text: string, headers = {}, caller = browser): Promise<string[]> {
  // A busy machine may need longer than the time limit of a statement.
  const { status, body } = await eventually(
    () => search(text, headers, caller),
    (answer) => answer.status !== 200 || answer.body.incomplete.length === 0,
  );
  expect(status).toBe(200);
  return (body.hits as SearchHit[]).flatMap(({ id }) => names.get(id) ?? []).sort();
}

beforeAll(async () => {
  const { fixtures, stack, client, live } = api;
  merchantId = (await fixtures.getDemoMerchant()).id;
  browser = await signIn(stack.baseUrl, stack.credentials.account);
  const ada = { name: 'Ada Lovelace', email: 'ada.l@engines.example' };
  const payer = await named('Ada', makeCustomer(client, ada));
  await named('José', makeCustomer(client, { name: 'José Núñez', email: 'jn@example.com' }));
  const payment_method = await named('card', makeMethod(client, 'mastercard', { customer: payer }));
  const billing_address = await named('address', makeAddress(client, {}, { customer: payer }));
  const parties = { payer, payment_method, billing_address };
  const reference = { purchase_reference: 'ORD-2027-000731' };
  const payment = await named(
    'payment',
    makeDemand(client, { ...reference, confirmed: true }, parties),
  );
  await waitForOutcome(client, payment.id);
  await named('intent', makeDemand(client, { purchase_reference: 'CART-19' }));
  await named(
    'subscription',
    makeSubscription(client, { purchase_reference: 'SUB-88-alpha' }, parties),
  );
  await named('link', makeLink(client, { title: 'Roses of Brno' }));
  await named(
    'key',
    client.make('merchant_tokens', { name: 'Warehouse scanner', context: 'secret' }),
  );
  const source = await named('merged', makeCustomer(client, { email: 'emmy@old.example' }));
  const target = await named('Emmy', makeCustomer(client, { email: 'emmy@new.example' }));
  await named('her intent', makeDemand(client, {}, { payer: source }));
  await client.make('customer_merges', {}, { source, target });
  await named('live Ada', makeCustomer(live, ada));
  foreign = await fixtures.makeDemoMerchant(stack.baseUrl);
  const foreignClient = api.as(foreign.credentials.sandbox.secret_key);
  await named('foreign Ada', makeCustomer(foreignClient, ada));
});

const openReader = async (permissions: readonly string[]): Promise<Browser> =>
  (await openMember(api, { merchant_id: merchantId, permissions })).browser;

const idOf = (name: string): string =>
  [...names].find(([, given]) => given === name)?.[0] as string;
const titleOf = ({ title }: SearchHit) => title;
const ADAS = ['Ada', 'payment', 'subscription'];

describe.each([
  ['among the recent records', 0],
  ['among older records', RECENT_MAX + 1],
])('the search %s', (_title, newerRecords) => {
  beforeAll(() => bury(merchantId, 'sandbox', newerRecords));

  it.each<[text: string, found: string[]]>([
    ['lovelace', ADAS],
    ['ADA  love', ADAS],
    ['l@engines', ADAS],
    ['nunez', ['José']],
    ['JOSÉ', ['José']],
    ['2027-0007', ['payment']],
    ['ord-', ['payment']],
    ['CART-19', ['intent']],
    ['lpha', ['subscription']],
    ['of brno', ['link']],
    ['scanner', ['key']],
    ['emmy@old', ['her intent', 'merged']],
    ['lovelace brno', []],
    ['lovelace%', []],
    ['ada_l', []],
  ])('for %j finds %j', async (text, found) => {
    expect(await foundBy(text)).toEqual(found);
  });

  it('finds payments and subscriptions by the last four digits of their card', async () => {
    const { last_four } = (await api.client.fetch('payment_methods', idOf('card'))).attributes;
    expect(await foundBy(last_four)).toEqual(['payment', 'subscription']);
    expect(await foundBy(`•••• ${last_four}`)).toEqual(['payment', 'subscription']);
  });

  it.each(['payment', 'subscription', 'link', 'key', 'address', 'card', 'José'])(
    'finds the record %s by its id',
    async (name) => expect(await foundBy(idOf(name))).toEqual([name]),
  );

  it('returns the facts that name the state of a payment', async () => {
    const { hits } = (await search(idOf('payment'))).body;
    const { payment } = hits.find(({ id }: SearchHit) => id === idOf('payment'));
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded_cents: 0 });
    expect(payment.amount_captured_cents).toBeGreaterThan(0);
  });

  it('finds a customer with all purchases by the id of the customer', async () => {
    expect(await foundBy(idOf('Ada'))).toEqual(ADAS);
  });

  it('finds events by the id of their record', async () => {
    const { hits } = (await search(idOf('payment'))).body;
    const titles = hits.filter(({ type }: SearchHit) => type === 'events').map(titleOf);
    expect(titles).toContain('transaction.payment_demands.succeeded');
  });

  it('finds records of the mode and merchant only', async () => {
    expect(await foundBy('lovelace', { 'florin-mode': 'live' })).toEqual(['live Ada']);
    const foreignBrowser = await signIn(api.stack.baseUrl, foreign.credentials.account);
    const headers = { 'florin-merchant': foreign.id };
    expect(await foundBy('lovelace', headers, foreignBrowser)).toEqual(['foreign Ada']);
    expect(await foundBy(idOf('Ada'), headers, foreignBrowser)).toEqual([]);
  });
});

describe('the number of matches', () => {
  it('is beside the results of each type, or says that there may be more', async () => {
    const { hits, totals } = (await search('lovelace')).body;
    expect(hits.filter(({ type }: SearchHit) => type === 'payment_demands')).toHaveLength(1);
    expect(totals).toEqual({
      customers: { count: 1, is_minimum: false },
      payment_demands: { count: 1, is_minimum: false },
      payment_subscriptions: { count: 1, is_minimum: false },
    });
    const { hits: emmys, totals: listed } = (await search('emmy@')).body;
    expect(emmys.filter(({ type }: SearchHit) => type === 'customers')).toHaveLength(2);
    expect(listed.customers).toEqual({ count: 1, is_minimum: false });
    expect((await search('hay')).body.totals).toMatchObject({
      customers: { count: 100, is_minimum: true },
      payment_demands: { count: 100, is_minimum: true },
    });
  });

  it('leaves out incomplete payments, which the list hides', async () => {
    const { hits, totals } = (await search('CART-19')).body;
    expect(hits.map(titleOf)).toHaveLength(1);
    expect(totals.payment_demands).toEqual({ count: 0, is_minimum: false });
  });

  it('is exact if all payers were read, also of more customers than a short search reads', async () => {
    await bury(merchantId, 'sandbox', 25, 'quorum');
    const totalOf = async (hits?: number) =>
      (await search('quorum', {}, browser, hits)).body.totals.payment_demands;
    expect([await totalOf(), await totalOf(100)]).toEqual([
      { count: 25, is_minimum: true },
      { count: 25, is_minimum: false },
    ]);
  });

  it('goes with as many results as the caller asks for', async () => {
    const few = (await search('hay-1')).body;
    const many = (await search('hay-1', {}, browser, 100)).body;
    const countOf = ({ hits }: typeof few) =>
      hits.filter(({ type }: SearchHit) => type === 'payment_demands').length;
    expect([countOf(few), countOf(many)]).toEqual([5, 100]);
    const refused = await search('hay', {}, browser, 101);
    expect([refused.status, refused.body.errors[0].source]).toEqual([422, { parameter: 'hits' }]);
  });
});

describe('a member', () => {
  it('finds no record by what the member may not read', async () => {
    const member = await openReader(['transaction.payment_demands.read']);
    const { last_four } = (await api.client.fetch('payment_methods', idOf('card'))).attributes;
    const found = async (text: string) => foundBy(text, {}, member);
    expect(await found('lovelace')).toEqual([]);
    expect(await found(last_four)).toEqual([]);
    expect(await found(idOf('Ada'))).toEqual([]);
    expect(await found('ord-2027')).toEqual(['payment']);
    const [hit] = (await search('ord-2027', {}, member)).body.hits;
    expect(hit).toMatchObject({ title: null, last_four: null, detail: 'ORD-2027-000731' });
  });

  it('without a permission for any of the types is refused', async () => {
    const { status } = await search('lovelace', {}, await openReader(['user.merchants.read']));
    expect(status).toBe(403);
  });
});

it.each(['', 'ab', ' ab ', 'x'.repeat(101)])('a search for %j is refused', async (text) => {
  const { status, body } = await search(text);
  expect([status, body.errors[0].source]).toEqual([422, { parameter: 'q' }]);
});

it('customers are found by their email address in any case, the two oldest, of the mode and merchant', async () => {
  const withEmail = (email: string) =>
    browser.get(`/dashboard/api/customers?${new URLSearchParams({ email })}`, {
      'florin-merchant': merchantId,
      'florin-mode': 'sandbox',
    });
  const foundWith = async (email: string) =>
    (await withEmail(email)).body.data.map(({ id }: { id: string }) => names.get(id));
  const email = 'ADA.L@engines.example';
  expect(await foundWith(email)).toEqual(['Ada']);
  await named('second Ada', makeCustomer(api.client, { email }));
  await named('third Ada', makeCustomer(api.client, { email: 'Ada.l@engines.example' }));
  expect(await foundWith('ada.l@engines.example')).toEqual(['Ada', 'second Ada']);
  expect(await foundWith('emmy@old.example')).toEqual([]);
  const { status, body } = await withEmail(' ');
  expect([status, body.errors[0].source]).toEqual([422, { parameter: 'email' }]);
});
