import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';

const numberOf = (name: string): string =>
  sandboxCards.find(({ token }) => token === `pan_test_${name}`)!.number;

const api = useApi();
let browser: Browser;
beforeAll(async () => {
  browser = await getSharedBrowser();
});
afterEach(() => closeWindows(browser));

interface ApiRecord {
  readonly id: string;
  readonly attributes: { readonly [name: string]: unknown };
}

async function request(method: string, path: string, body?: object): Promise<ApiRecord> {
  const response = await fetch(`${api.stack.baseUrl}/v2/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${api.stack.credentials.sandbox.secret_key}`,
      'user-agent': 'e2e/1',
      'content-type': 'application/vnd.api+json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: ApiRecord }).data;
}

const makeLink = (attributes: object = {}, relationships: object = {}): Promise<ApiRecord> => {
  const product = { title: 'A dozen roses', amount_cents: 2499, amount_currency: 'USD' };
  const data = { type: 'payment_links', attributes: { ...product, ...attributes }, relationships };
  return request('POST', 'payment_links', { data });
};

interface Visit {
  readonly page: Page;
  readonly form: FrameLocator;
  /** Errors in the browser's console, including policy violations. */
  readonly consoleErrors: string[];
}

async function visit(link: ApiRecord, context: BrowserContextOptions = {}): Promise<Visit> {
  const browserContext = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 800, height: 1_100 },
    ...context,
  });
  const page = await browserContext.newPage();
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  await page.goto(String(link.attributes.url));
  return { page, form: page.frameLocator('#payment-form iframe'), consoleErrors };
}

async function enterDetails({ page }: Visit): Promise<void> {
  await page.locator('#email').fill('grace@example.com');
  await page.locator('#name').fill('Grace Hopper');
  await page.locator('form button').click();
}

async function enterCard({ form }: Visit, name: string): Promise<void> {
  await form.locator('#number').fill(numberOf(name));
  await form.locator('#expiry').fill('12/31');
  await form.locator('#cvv').fill('123');
}

async function enterAddress({ form }: Visit): Promise<void> {
  await form.locator('#country').selectOption('DE');
  await form.locator('#line_1').fill('Hauptstraße 1');
  await form.locator('#zip').fill('10115');
  await form.locator('#city').fill('Berlin');
}

/** Presses the button with a key: the form accepts keys at once, but pointers only after a moment. */
const pay = ({ form }: Visit): Promise<void> => form.locator('button.pay').press('Enter');

async function payByWallet({ form }: Visit): Promise<void> {
  await form.getByRole('button', { name: 'Google Pay' }).press('Enter');
  const sheet = form.frameLocator('dialog iframe');
  await sheet.getByRole('button', { name: '24' }).click();
}

async function enterDetailsByKeyboard({ page, form }: Visit): Promise<void> {
  const { keyboard } = page;
  await page.bringToFront();
  await keyboard.press('Tab');
  await keyboard.type('grace');
  await keyboard.press('Tab');
  await keyboard.type('Grace');
  await keyboard.press('Enter');
  await page.locator('#email:focus').waitFor();
  const descriptionId = await page.locator('#email').getAttribute('aria-describedby');
  expect(await page.locator(`#${descriptionId}`).textContent()).toContain('name@example.com');
  await keyboard.press('End');
  await keyboard.type('@example.com');
  await keyboard.press('Enter');
  await form.locator('#number').waitFor();
  // Two wallets come before the card.
  for (let press = 0; press < 3; press++) await keyboard.press('Tab');
  await form.locator('#number:focus').waitFor();
}

const waitForApproval = ({ page }: Visit) =>
  page.getByRole('heading', { name: 'Thank you, your payment was approved' }).waitFor();

describe('the page of a payment link', () => {
  it('of a customer is the card form, without a step before it', async () => {
    const attributes = { email: 'lovelace@example.com', name: 'Ada Lovelace' };
    const { id } = await request('POST', 'customers', { data: { type: 'customers', attributes } });
    const link = await makeLink({}, { customer: { data: { type: 'customers', id } } });
    const payerVisit = await visit(link);
    await enterCard(payerVisit, 'visa');
    await enterAddress(payerVisit);
    expect(await violationsIn(payerVisit.page.mainFrame())).toEqual([]);
    expect(await payerVisit.page.content()).not.toContain('Lovelace');
    await pay(payerVisit);
    await waitForApproval(payerVisit);
    expect(payerVisit.consoleErrors).toEqual([]);
  });

  it('takes one payment, shows what was paid, and refuses a second visitor, who uses the keyboard', async () => {
    const link = await makeLink({ description: 'Red, long-stemmed.', uses_max: 1 });
    const [firstVisit, secondVisit] = [await visit(link), await visit(link)];
    expect(await firstVisit.page.getByText('Test mode: no money moves.').isVisible()).toBe(true);
    expect(await firstVisit.page.locator('.price').textContent()).toBe('$24.99');
    await enterDetailsByKeyboard(secondVisit);
    await enterDetails(firstVisit);
    for (const payerVisit of [secondVisit, firstVisit]) {
      await enterCard(payerVisit, 'visa');
      await enterAddress(payerVisit);
    }
    await pay(firstVisit);
    await waitForApproval(firstVisit);
    const reference = await firstVisit.page.locator('.bill bdi').textContent();
    const { attributes } = await request('GET', `payment_links/${link.id}`);
    expect([reference, attributes.uses_count]).toEqual([expect.stringMatching(/^link-\w{12}$/), 1]);
    await firstVisit.page.reload();
    await waitForApproval(firstVisit);
    expect(firstVisit.consoleErrors).toEqual([]);
    await pay(secondVisit);
    await secondVisit.page.getByRole('heading', { name: 'no longer available' }).waitFor();
    expect(await secondVisit.page.getByText('You were not charged.').isVisible()).toBe(true);
  });

  it('starts a subscription after a declined card, and redirects to the merchant', async () => {
    const success_url = `${api.stack.baseUrl}/?from=link`;
    const link = await makeLink({ billing_period: 'one_month', success_url });
    const payerVisit = await visit(link);
    expect(await payerVisit.page.locator('.price').textContent()).toBe(
      '$24.99 every month until you cancel',
    );
    await enterDetails(payerVisit);
    await enterCard(payerVisit, 'generic_decline');
    await enterAddress(payerVisit);
    await pay(payerVisit);
    await payerVisit.form.getByText('The bank declined the payment.').waitFor();
    await enterCard(payerVisit, 'visa');
    await pay(payerVisit);
    await payerVisit.page.waitForURL(/\?from=link/);
    const id = new URL(payerVisit.page.url()).searchParams.get('payment_subscription');
    const { attributes } = await request('GET', `payment_subscriptions/${id}`);
    expect(attributes).toMatchObject({ status: 'active', billing_period: 'one_month' });
    expect((await request('GET', `payment_links/${link.id}`)).attributes.uses_count).toBe(1);
  });

  it('is in the visitor’s language, from right to left if that is so', async () => {
    const { page } = await visit(await makeLink(), { locale: 'ar-EG' });
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.getByLabel('الاسم').waitFor();
  });
});

describe('the pages of a payment link', () => {
  it('pass axe on a phone, light and dark, and fit its width', async () => {
    const link = await makeLink({
      title: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
      description: 'x'.repeat(200),
      billing_period: 'thirty_days',
    });
    const payerVisit = await visit(link, { viewport: { width: 375, height: 800 } });
    const { page } = payerVisit;
    const inspectFrames = async (): Promise<void> => {
      for (const frame of page.frames()) expect(await violationsIn(frame)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    };
    const inspectInDark = async (): Promise<void> => {
      await page.emulateMedia({ colorScheme: 'dark' });
      // axe takes a transparent frame to be on white.
      expect(await violationsIn(page.mainFrame(), ['color-contrast'])).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await page.locator('form button').click();
    await page.locator('.flaw').first().waitFor();
    await inspectFrames();
    await inspectInDark();
    await enterDetails(payerVisit);
    await payerVisit.form.locator('#number').waitFor();
    await inspectFrames();
    await request('PATCH', `payment_links/${link.id}/expire`);
    await payByWallet(payerVisit);
    await waitForApproval(payerVisit);
    await inspectFrames();
    await inspectInDark();
    await page.goto(String(link.attributes.url));
    await page.getByRole('heading', { name: 'has expired' }).waitFor();
    await inspectFrames();
  });
});
