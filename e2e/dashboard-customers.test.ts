import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { browse, pageKeyOf } from '../packages/server/tests/support/link-visit.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { type DashboardPage, openDashboard } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { type PaymentApi, paymentApi, type RecordReference } from './support/payment-api.ts';

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;
let payments: PaymentApi;
let ada: RecordReference;

beforeAll(async () => {
  browser = await getSharedBrowser();
  payments = paymentApi(api.stack);
  ada = await payments.make('customers', { email: 'ada@example.com', name: 'Ada Lovelace' });
  dashboard = await openDashboard(browser, api.stack);
  page = dashboard.page;
});

afterAll(() => closeWindows(browser));

const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};
const CARD = {
  ...{ card_pan_token: 'pan_test_visa', card_cvv_token: 'cvv_test' },
  ...{ expiry_month: 12, expiry_year: 2031 },
};
const PURCHASE = {
  ...{ amount_cents: 5000, amount_currency: 'USD', purchase_reference: 'roses' },
  ...{ purchase_kind: 'order', confirmed: true },
};

const INTENT = { amount_cents: 500, amount_currency: 'USD' };

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const box = (name: string) => dialog().getByRole('textbox', { name, exact: true });
const customersWith = (email: string) => payments.list('customers', { 'filter[email]': email });

async function openNewCustomer(): Promise<void> {
  await dashboard.go('records/customers');
  await button('New customer').click();
  await box('Email').waitFor();
}

describe('the list of customers', () => {
  it('is searched by a part of a name or email address', async () => {
    await payments.make('customers', { email: 'barbara@example.com', name: 'Barbara Liskov' });
    await dashboard.go('records/customers');
    const field = page.getByLabel('Find a customer');
    await field.pressSequentially('LOVEL');
    await page.waitForURL(/q=LOVEL/);
    await page.getByText('1 row', { exact: true }).waitFor();
    await expectVisible(page.getByRole('link', { name: 'Ada Lovelace' }));
    await inspectOnPhone(page, true);
    await page.getByRole('status').getByText('1 customer matches').waitFor();
    await field.fill('arbara@ex');
    await expectVisible(page.getByRole('link', { name: 'Barbara Liskov' }));
    await field.fill('no such');
    await expectVisible(page.getByText('No customers found'));
    await page.getByRole('status').getByText('0 customers match').waitFor();
    await button('Clear search').click();
    await expectVisible(page.getByRole('link', { name: 'Ada Lovelace' }));
  });

  it('keeps a short search that Enter began when a blank follows', async () => {
    await dashboard.go('records/customers');
    const field = page.getByLabel('Find a customer');
    await field.fill('ad');
    await field.press('Enter');
    await page.waitForURL(/q=ad/);
    await field.press('Space');
    // The page's own timers end in order: this one after the pause in typing.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
    expect(new URL(page.url()).searchParams.get('q')).toBe('ad');
    await button('Clear search').click();
  });
});

describe('a new customer', () => {
  it('with the email address of another one is possible, after a warning that leads there', async () => {
    await openNewCustomer();
    await box('Email').fill('Ada@example.com');
    await dialog().getByText('ada@example.com is already a customer.').waitFor();
    await inspectOnPhone(page, true);
    await box('Email').fill('ada@example.org');
    await dialog().getByText('is already a customer').waitFor({ state: 'hidden' });
    await box('Email').fill('ada@example.com');
    await dialog().getByRole('link', { name: 'Open Ada Lovelace' }).click();
    await page.waitForURL(new RegExp(`/records/customers/${ada.id}$`));
    await heading('Ada Lovelace').waitFor();
  });

  it('gets an address, and is not created again when only the address is refused', async () => {
    await openNewCustomer();
    await box('Name').fill('Grace Hopper');
    await box('Email').fill('grace@example.com');
    await box('Phone').fill('+1 212 555 0100');
    await dialog().getByText('More options').click();
    await box('Street and number').fill('1 Main Street');
    await dialog().getByText('More options').click();
    await button('Create customer').click();
    await box('Postal code').and(page.locator('[aria-invalid=true]')).waitFor();
    await box('Postal code').fill('10001');
    await box('City').fill('New York');
    await box('State or region').fill('Nowhere');
    await choose(dialog().getByRole('combobox', { name: 'Country' }), 'usa', 'United States');
    await box('Note').fill('Pays by telephone.');
    await button('Create customer').click();
    await dialog().getByText('The customer is stored without an address.').waitFor();
    await inspectOnPhone(page);
    await box('State or region').fill('NY');
    await button('Create customer').click();
    await heading('Grace Hopper').waitFor();
    const [grace, ...others] = await customersWith('grace@example.com');
    expect(others).toEqual([]);
    expect(grace?.attributes).toMatchObject({ description: 'Pays by telephone.' });
    const addresses = await payments.list('consumer_addresses', {
      'filter[customer]': grace?.id ?? '',
    });
    expect(addresses).toMatchObject([{ attributes: { line_1: '1 Main Street', state: 'NY' } }]);
  });
});

describe('the page of a customer', () => {
  it('shows what the customer paid, with cards and addresses as people say them', async () => {
    const parties = {
      ...{
        payer: ada,
        billing_address: await payments.make('consumer_addresses', ADDRESS, { customer: ada }),
      },
      payment_method: await payments.make('payment_methods', CARD, { customer: ada }),
    };
    const { id } = await payments.make('payment_demands', PURCHASE, parties);
    await expect
      .poll(async () => (await payments.list('payment_demands', { 'filter[payer]': ada.id }))[0])
      .toMatchObject({ id, attributes: { status: 'succeeded' } });
    await dashboard.load(`records/customers/${ada.id}`);
    await heading('Ada Lovelace').waitFor();
    await page.getByText('$50.00').first().waitFor();
    await page.getByText('After refunds. Payments: 1').waitFor();
    await page.getByText(/^Visa •••• \d{4} · 12\/31$/).waitFor();
    await page.getByText('1 Main Street, 10001 New York, NY, United States').waitFor();
    await inspectOnPhone(page, true);
    await button('New payment link').click();
    await dialog().getByText('For Ada Lovelace. The page asks for the card only').waitFor();
    await box('What do you sell?').fill('Roses');
    await box('Amount').fill('25');
    await button('Create link').click();
    await dialog().getByRole('heading', { name: 'is ready' }).waitFor();
    await button('Close').last().click();
    const links = await payments.list('payment_links', { 'filter[customer]': ada.id });
    expect(links).toMatchObject([{ attributes: { title: 'Roses', uses_max: 1 } }]);
    await page.getByRole('link', { name: 'New subscription' }).click();
    await page.getByRole('combobox', { name: 'Customer' }).waitFor();
    expect(new URL(page.url()).searchParams.get('customer')).toBe(ada.id);
  });
});

describe('two customers of one person', () => {
  const makeTwice = async (email: string): Promise<RecordReference[]> => {
    const known = await payments.make('customers', { email, name: 'Mary Jackson' });
    const guest = await payments.make('customers', {
      email: email.replace('mary', 'Mary'),
      name: 'M. Jackson',
    });
    const card = await payments.make('payment_methods', CARD, { customer: guest });
    return [known, guest, card];
  };

  it('are found, compared and merged into the one who is open', async () => {
    const [known, guest, card] = (await makeTwice('mary@example.com')) as [
      RecordReference,
      RecordReference,
      RecordReference,
    ];
    await dashboard.load(`records/customers/${known.id}`);
    await page.getByText('has the same email address.').waitFor();
    await inspectOnPhone(page, true);
    await button('Merge both').click();
    await dialog()
      .getByRole('radio', { name: 'Mary Jackson' })
      .and(page.locator(':checked'))
      .waitFor();
    await button('Preview').click();
    await dialog().getByText('A merge cannot be undone.').waitFor();
    await dialog().getByRole('row', { name: 'Name Mary Jackson M. Jackson' }).waitFor();
    await inspectOnPhone(page, true);
    const merges = () => payments.list('customer_merges', { 'filter[target]': known.id });
    expect(await merges()).toMatchObject([{ attributes: { dry_run: true } }]);
    await box('Reason').fill('Bought as a guest');
    await button('Merge for good').click();
    await page.getByText('Customers merged.').waitFor();
    await page.getByText(/^Visa •••• \d{4} · 12\/31$/).waitFor();
    await page.getByText('has the same email address.').waitFor({ state: 'hidden' });
    const mergedRow = page.getByRole('row', { name: /^M\. Jackson.* Bought as a guest$/ });
    await mergedRow.waitFor();
    await inspectOnPhone(page, true);
    expect((await merges())[0]).toMatchObject({
      attributes: { dry_run: false, reason: 'Bought as a guest', payment_methods_count: 1 },
    });
    expect(await payments.list('payment_methods', { 'filter[customer]': known.id })).toMatchObject([
      { id: card.id },
    ]);
    await mergedRow.getByRole('link', { name: 'M. Jackson' }).click();
    await page.getByText('This customer was merged').waitFor();
    await page.getByText('Reason: Bought as a guest').waitFor();
    expect(page.url()).toContain(guest.id);
    await inspectOnPhone(page);
    expect(await button('Block').count()).toBe(0);
    await page.getByRole('link', { name: 'Open Mary Jackson' }).click();
    await heading('Mary Jackson').waitFor();
  });

  const ROSES = { title: 'Roses', amount_cents: 2500, amount_currency: 'USD' };

  /** Begins a payment over a link without a customer. Returns its new payer and the payment. */
  async function payOverLink(email: string, name: string) {
    const others = new Set((await customersWith(email)).map(({ id }) => id));
    const { attributes } = await payments.make('payment_links', ROSES);
    const { pathname } = new URL(String(attributes.url));
    const page_key = pageKeyOf(await browse(api.stack, pathname));
    await browse(api.stack, pathname, { email, name, page_key });
    const payer = (await customersWith(email)).find(({ id }) => !others.has(id));
    const [payment] = await payments.list('payment_demands', { 'filter[payer]': payer?.id ?? '' });
    return { payer, payment };
  }

  it('are named on the payment of a link, and merged into the one who came first', async () => {
    const email = 'hedy@example.com';
    await payments.make('customers', { email, name: 'Hedy Lamarr' });
    const { payment } = await payOverLink(email, 'H. Lamarr');
    await dashboard.load(`payments/${payment?.id}`);
    await page.getByText('Anyone can type it on a payment link').waitFor();
    await inspectOnPhone(page, true);
    await button('Merge both').click();
    const remains = dialog().getByRole('radio', { name: 'Hedy Lamarr' });
    await remains.and(page.locator(':checked')).waitFor();
    await button('Preview').click();
    await button('Merge for good').click();
    await heading('Hedy Lamarr').waitFor();
    await dashboard.load(`payments/${payment?.id}`);
    await page.getByRole('link', { name: 'Hedy Lamarr' }).waitFor();
    expect(await button('Merge both').count()).toBe(0);
  });

  it('keep the payer of a link who came before the other', async () => {
    const email = 'emmy@example.com';
    const { payment } = await payOverLink(email, 'Emmy Noether');
    await payments.make('customers', { email, name: 'E. Noether' });
    await dashboard.load(`payments/${payment?.id}`);
    await page.getByText('is a newer customer with the same email address.').waitFor();
    await inspectOnPhone(page, true);
    await button('Merge both').click();
    const remains = dialog().getByRole('radio', { name: 'Emmy Noether' });
    await remains.and(page.locator(':checked')).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are not named on the payment of a link for a customer', async () => {
    const [, known] = (await makeTwice('lise@example.com')) as [RecordReference, RecordReference];
    const { attributes } = await payments.make('payment_links', ROSES, { customer: known });
    await browse(api.stack, new URL(String(attributes.url)).pathname);
    const [payment] = await payments.list('payment_demands', { 'filter[payer]': known.id });
    const searches: string[] = [];
    page.on('request', (request) => searches.push(request.url()));
    await dashboard.load(`payments/${payment?.id}`);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(searches.filter((url) => url.includes('lise'))).toEqual([]);
    expect(await button('Merge both').count()).toBe(0);
  });

  it('are merged into the one who paid, unless the member chooses otherwise', async () => {
    const email = 'rosalind@example.com';
    const empty = await payments.make('customers', { email, name: 'Rosalind Franklin' });
    await payments.pay({ amount_cents: 700, email });
    await dashboard.load(`records/customers/${empty.id}`);
    await button('Merge both').click();
    const paid = dialog().getByRole('radio', { name: /^Ada · rosalind/ });
    await paid.and(page.locator(':checked')).waitFor();
    await dialog().getByText('1 payment', { exact: true }).waitFor();
    await dialog().getByText('0 payments', { exact: true }).waitFor();
    await inspectOnPhone(page, true);
    await dialog().getByRole('radio', { name: 'Rosalind Franklin' }).check();
    await button('Preview').click();
    await dialog().getByText('A merge cannot be undone.').waitFor();
    await button('Merge for good').click();
    await page.getByText('After refunds. Payments: 1').waitFor();
  });

  it('are merged into the other one with the keyboard', async () => {
    const katherine = await payments.make('customers', {
      email: 'kj@example.com',
      name: 'Katherine Johnson',
    });
    await payments.make('customers', { email: 'kat@example.com', name: 'Kat Johnson' });
    await dashboard.load(`records/customers/${katherine.id}`);
    await button('Merge').press('Enter');
    const other = dialog().getByRole('combobox', { name: 'Other customer' });
    await other.fill('kat j');
    const option = page.getByRole('option', { name: /^Kat Johnson/ });
    await option.waitFor();
    await other.press('ArrowDown');
    await option.and(page.locator('[data-combobox-selected]')).waitFor();
    await other.press('Enter');
    await dialog().getByRole('radio', { name: 'Katherine Johnson' }).press('ArrowDown');
    const focused = () =>
      page.evaluate(() => {
        const { activeElement, body } = document;
        return activeElement === body ? 'nothing' : activeElement?.textContent;
      });
    const tabTo = async (name: string) => {
      for (let at = 0; at < 5 && (await focused()) !== name; at++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await tabTo('Preview');
    await page.keyboard.press('Enter');
    await dialog().getByText('only the other customer disappears').waitFor();
    await expect.poll(focused).toContain('A merge cannot be undone.');
    await tabTo('Merge for good');
    await page.keyboard.press('Enter');
    await heading('Kat Johnson').waitFor();
    expect((await customersWith('kj@example.com')).length).toBe(0);
  });

  it('show how many records were moved, where there are many', async () => {
    const [known, guest] = (await makeTwice('annie@example.com')) as [
      RecordReference,
      RecordReference,
    ];
    const { id } = await payments.make('payment_demands', INTENT, { payer: guest });
    await api.fixtures.db.query(
      `insert into payment_demands select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
       from payment_demands p, generate_series(1, 1200) where p.id = $1`,
      [id],
    );
    await dashboard.load(`records/customers/${known.id}`);
    await button('Merge both').click();
    await button('Preview').click();
    await dialog().getByText('1,201').waitFor();
    await button('Merge for good').click();
    await dialog().getByText('Customers merged.').waitFor();
    await dialog().getByText('1,201').waitFor();
    await inspectOnPhone(page, true);
    const setCompleted = (at: string | null) =>
      api.fixtures.db.query(
        'update customer_merges set completed_at = $2, due_at = null where target_id = $1 and not dry_run',
        [known.id, at],
      );
    await setCompleted(null);
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await dashboard.load(`records/customers/${known.id}`);
    await page.getByText('figures and lists are incomplete').waitFor();
    await inspectOnPhone(page, true);
    await setCompleted(new Date().toISOString());
    await page.getByText('figures and lists are incomplete').waitFor({ state: 'hidden' });
  });

  it('are not merged while one of them is blocked', async () => {
    const [known, guest] = (await makeTwice('dorothy@example.com')) as [
      RecordReference,
      RecordReference,
    ];
    await payments.act(guest, 'block');
    await dashboard.load(`records/customers/${known.id}`);
    await button('Merge both').click();
    await dialog().getByText('M. Jackson is blocked, and the other customer is not.').waitFor();
    expect(await button('Preview').isDisabled()).toBe(true);
  });
});

it('had no error in the console', () => expect(dashboard.consoleErrors).toEqual([]));
