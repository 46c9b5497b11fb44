import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { cardOf } from './support/cards.ts';
import { choose } from './support/choose.ts';
import { type DashboardPage, openDashboard } from './support/dashboard.ts';
import { tabTo, waitForFocus } from './support/keyboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { type PaymentApi, paymentApi, type RecordReference } from './support/payment-api.ts';

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;
let payments: PaymentApi;
let ada: RecordReference;
/** Bodies of all requests to the dashboard's origin. */
const sentBodies: string[] = [];

beforeAll(async () => {
  browser = await getSharedBrowser();
  payments = paymentApi(api.stack);
  ada = await payments.make('customers', { email: 'ada@example.com', name: 'Ada Lovelace' });
  await payments.make('consumer_addresses', ADDRESS, { customer: ada });
  for (const card of ['insufficient_funds', 'visa']) {
    const attributes = { ...CARD, card_pan_token: `pan_test_${card}` };
    await payments.make('payment_methods', attributes, { customer: ada });
  }
  dashboard = await openDashboard(browser, api.stack);
  page = dashboard.page;
  page.on('request', (request) => {
    if (request.url().startsWith(api.stack.baseUrl)) sentBodies.push(request.postData() ?? '');
  });
});

afterAll(() => closeWindows(browser));

const ADDRESS = {
  line_1: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip: '10001',
  country: 'USA',
};
const PURCHASE = {
  ...{ amount_currency: 'USD', purchase_reference: 'order-9', purchase_kind: 'order' },
  confirmed: true,
};
const CARD = { card_cvv_token: 'cvv_test', expiry_month: 12, expiry_year: 2031 };

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 2, name, exact: true });
const frame = (): FrameLocator => page.frameLocator('main iframe');
const lastFour = (card: string): string => cardOf(card).number.slice(-4);

async function enterCard(name: string): Promise<void> {
  const { number, cvv } = cardOf(name);
  await frame().locator('#number').fill(number);
  await frame().locator('#expiry').fill('12/31');
  await frame().locator('#cvv').fill(cvv);
}

/** Opens the terminal, and chooses Ada by part of her name. */
async function startWithAda(amount: string): Promise<void> {
  await dashboard.go('payments');
  await page.getByRole('link', { name: 'New payment' }).click();
  await page.getByRole('textbox', { name: 'Amount', exact: true }).fill(amount);
  const customer = page.getByRole('combobox', { name: 'Customer' });
  await choose(customer, 'lovel', 'Ada Lovelace · ada@example.com');
  await page.getByLabel('1 Main Street, 10001 New York, NY, United States').waitFor();
}

/** Refuses confirmations. The first one is lost before, or the server executes it and its response is lost. */
async function refuseConfirmations(first: 'refused' | 'lost' | 'executed'): Promise<void> {
  let requests = 0;
  await page.unroute('**/confirm');
  await page.route('**/confirm', async (route) => {
    requests += 1;
    if (requests === 1 && first === 'executed') await route.fetch();
    if (requests === 1 && first !== 'refused') return route.abort();
    const headers = { 'retry-after': '0' };
    return route.fulfill({ status: 429, headers, json: { errors: [{ title: 'Too many' }] } });
  });
}

const paymentsOf = (customer: string) =>
  payments.list('payment_demands', { 'filter[payer]': customer, sort: 'created_at' });

describe('an order by telephone', () => {
  it('charges a saved card once, although the button is pressed twice and the response is lost', async () => {
    await startWithAda('42');
    const saved = page.getByLabel(`Visa •••• ${lastFour('visa')} · 12/31`);
    expect(await saved.isChecked()).toBe(true);
    await inspectOnPhone(page, true);
    await refuseConfirmations('executed');
    await button('Charge $42.00').dblclick();
    await heading('$42.00 paid').waitFor();
    await page.getByText('Customer: Ada Lovelace · ada@example.com').waitFor();
    await page.unroute('**/confirm');
    await inspectOnPhone(page);
    expect(await paymentsOf(ada.id)).toMatchObject([
      { attributes: { amount_cents: 4200, amount_currency: 'USD', status: 'succeeded' } },
    ]);
    await page.getByRole('link', { name: 'Open payment' }).click();
    await page.waitForURL(/\/payments\/[0-9a-f-]{36}$/);
  });

  it('is charged by keyboard alone', async () => {
    const { keyboard } = page;
    await dashboard.go('payments');
    await tabTo(page, 'New payment');
    await keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).waitFor();
    await tabTo(page, 'Amount');
    await keyboard.type('17');
    await tabTo(page, 'Customer');
    await keyboard.type('lovel');
    await page.getByRole('option', { name: 'Ada Lovelace · ada@example.com' }).waitFor();
    await keyboard.press('Enter');
    await page.getByLabel('1 Main Street, 10001 New York, NY, United States').waitFor();
    await tabTo(page, 'Charge $17.00');
    await keyboard.press('Enter');
    await heading('$17.00 paid').waitFor();
    await waitForFocus(page, '$17.00 paid');
  });

  it('leads to the test cards from a card that the sandbox does not know', async () => {
    await startWithAda('9.99');
    await page.getByLabel(/^New card/).check();
    await button('Continue to card').click();
    await frame().locator('#number').fill('4242424242424242');
    await frame().locator('#expiry').fill('12/31');
    await frame().locator('#cvv').fill('123');
    await button('Charge $9.99').click();
    const hint = page.getByRole('link', { name: 'Show test cards' });
    await expectVisible(hint);
    await inspectOnPhone(page, true);
    const opened = page.context().waitForEvent('page');
    await hint.click();
    const cards = await opened;
    await cards.waitForURL(/developers\/sandbox$/);
    await cards.close();
    // The order remains, for another card.
    await button('Try another card').click();
    await button('Continue to card').click();
    await expectVisible(page.getByRole('link', { name: 'Show test cards' }));
  });

  it('shows a decline in words, and takes another card in the frame', async () => {
    await startWithAda('19.99');
    await page.getByLabel(new RegExp(`^Visa •••• ${lastFour('insufficient_funds')} `)).check();
    await button('Charge $19.99').click();
    await heading('Declined: Insufficient funds').waitFor();
    await button('Try another card').click();
    const declined = `^Visa •••• ${lastFour('insufficient_funds')} .*\\(declined on `;
    await page.getByLabel(new RegExp(declined)).waitFor();
    await button('Continue to card').click();
    await frame().locator('#number').waitFor();
    await inspectOnPhone(page, true);
    await refuseConfirmations('refused');
    await enterCard('insufficient_funds');
    await button('Charge $19.99').click();
    await page.getByRole('alert').getByText('Too many').waitFor();
    // The card in the frame is another one now, and the confirmation must not show the first decline again.
    await enterCard('mastercard');
    await refuseConfirmations('lost');
    await button('Charge $19.99').click();
    await heading('Not charged yet').waitFor();
    expect(await button('Another payment').count()).toBe(0);
    await page.unroute('**/confirm');
    await button('Send again').click();
    await heading('$19.99 paid').waitFor();
    await button('Another payment').click();
    const amount = page.getByRole('textbox', { name: 'Amount', exact: true });
    await amount.and(page.locator(':focus')).waitFor();
    const customer = page.getByRole('combobox', { name: 'Customer' });
    expect(await customer.inputValue()).toBe('');
    await choose(customer, 'lovel', 'Ada Lovelace · ada@example.com');
    await page.getByLabel('1 Main Street, 10001 New York, NY, United States').waitFor();
    await customer.click();
    await page.keyboard.type('ada@');
    expect(await customer.inputValue()).toBe('ada@');
    const all = await paymentsOf(ada.id);
    const [retried, ...others] = all.filter(({ attributes }) => attributes.amount_cents === 1999);
    expect([retried?.attributes.status, others]).toEqual(['succeeded', []]);
    const attempts = { 'filter[payment_demand]': retried?.id ?? '' };
    expect(await payments.count('payment_attempts', attempts)).toBe(2);
    const [newest] = await payments.list('payment_methods', { 'filter[customer]': ada.id });
    expect(newest?.attributes.last_four).toBe(lastFour('mastercard'));
    const sent = sentBodies.join();
    expect(sent).toContain('1999');
    for (const secret of [cardOf('mastercard').number, 'pan_jwe'])
      expect(sent).not.toContain(secret);
  });

  it('offers the customer who has the email address of a new one already', async () => {
    await dashboard.go('payments/new');
    await button('New customer').click();
    await page.getByRole('textbox', { name: 'Email' }).fill('ADA@example.com');
    await page.getByText('ada@example.com is already a customer.').waitFor();
    await inspectOnPhone(page, true);
    await button('Choose Ada Lovelace').click();
    await page.getByLabel('1 Main Street, 10001 New York, NY, United States').waitFor();
  });

  it('does not preselect a card that was declined last, and says when', async () => {
    const paul = await payments.make('customers', { email: 'paul@example.com', name: 'Paul' });
    const billing_address = await payments.make('consumer_addresses', ADDRESS, { customer: paul });
    const token = { ...CARD, card_pan_token: 'pan_test_insufficient_funds' };
    const card = await payments.make('payment_methods', token, { customer: paul });
    const purchase = { ...PURCHASE, amount_cents: 700 };
    const parties = { payer: paul, billing_address, payment_method: card };
    await payments.make('payment_demands', purchase, parties);
    const statuses = async () => (await paymentsOf(paul.id)).map((it) => it.attributes.status);
    await expect.poll(statuses).toEqual(['failed']);
    await dashboard.go('payments/new');
    await choose(
      page.getByRole('combobox', { name: 'Customer' }),
      'paul',
      'Paul · paul@example.com',
    );
    const number = lastFour('insufficient_funds');
    const label = new RegExp(`^Visa •••• ${number} · 12/31 \\(declined on .+ \\d{4}\\)$`);
    await page.getByLabel(label).waitFor();
    expect(await page.getByLabel(/^New card/).isChecked()).toBe(true);
    await inspectOnPhone(page, true);
  });

  it('marks a state as required where it is, and waits with errors while somebody searches', async () => {
    await dashboard.go('payments/new');
    const customer = page.getByRole('combobox', { name: 'Customer' });
    await button('Continue to card').click();
    await expectVisible(page.getByText('This field is required.'));
    await customer.fill('nobody');
    await page.getByText('This field is required.').waitFor({ state: 'detached' });
    await choose(customer, 'tim@example.com', 'New customer');
    const isStateRequired = () =>
      page
        .getByRole('textbox', { name: 'State or region' })
        .evaluate((it) => it.matches(':required'));
    const country = page.getByRole('combobox', { name: 'Country' });
    await choose(country, 'germ', 'Germany');
    expect(await isStateRequired()).toBe(false);
    await choose(country, 'united st', 'United States');
    expect(await isStateRequired()).toBe(true);
  });

  it('holds the amount on the card of a new customer, and cancels what is not sent', async () => {
    await dashboard.go('payments/new');
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('15');
    const customer = page.getByRole('combobox', { name: 'Customer' });
    await choose(customer, 'grace@example.com', 'New customer');
    await button('Continue to card').click();
    expect(await page.locator('[aria-invalid=true]').count()).toBeGreaterThan(3);
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await page.getByLabel('Street and number').fill('Hauptstraße 1');
    await page.getByLabel('Postal code').fill('10115');
    await page.getByLabel('City').fill('Berlin');
    await choose(page.getByRole('combobox', { name: 'Country' }), 'germ', 'Germany');
    await button('Continue to card').click();
    await button('Back').click();
    await page.getByText('More options').click();
    await page.getByLabel('Only hold the amount').check();
    await button('Continue to card').click();
    await enterCard('visa');
    await button('Hold $15.00').click();
    await heading('$15.00 on hold').waitFor();
    const graces = await payments.list('customers', { 'filter[email]': 'grace@example.com' });
    expect(graces).toMatchObject([{ attributes: { name: 'Grace Hopper' } }]);
    const states = (await paymentsOf(graces[0]!.id)).map(({ attributes }) => attributes.status);
    expect(states).toEqual(['canceled', 'authorised']);
    expect(dashboard.consoleErrors).toEqual([]);
  });
});

it('a subscription is started with a saved card, and says what is charged when', async () => {
  await dashboard.go('subscriptions');
  await page.getByRole('link', { name: 'New subscription' }).click();
  await page.getByLabel('Amount per period').fill('25');
  const customer = page.getByRole('combobox', { name: 'Customer' });
  await choose(customer, 'ada@', 'Ada Lovelace · ada@example.com');
  await page.getByLabel(`Visa •••• ${lastFour('visa')} · 12/31`).check();
  await page.getByLabel('What is it for?').fill('Roses & tulips');
  await page.getByText('Charges $25.00 now, and then $25.00 every month.').waitFor();
  await page.getByLabel('Period', { exact: true }).selectOption('Every 3 months');
  await page.getByText('Later: free until then').click();
  await button('Start subscription').click();
  await page.locator('[aria-invalid=true]:focus').fill('2027-03-31');
  await page
    .getByText('Charges nothing now, and $25.00 every 3 months from Mar 31, 2027.')
    .waitFor();
  await inspectOnPhone(page, true);
  await page.getByRole('radio', { name: 'Now', exact: true }).check();
  await button('Start subscription').click();
  await heading('Subscription started').waitFor();
  await page.getByText('Next charge:').waitFor();
  const [subscription] = await payments.list('payment_subscriptions', { 'filter[payer]': ada.id });
  expect(subscription?.attributes).toMatchObject({
    ...{ status: 'active', slug: 'roses_tulips', billing_period: 'three_months' },
    ...{ amount_cents: 2500, charges_count: 1 },
  });
  expect(dashboard.consoleErrors).toEqual([]);
});
