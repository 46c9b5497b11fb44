import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../packages/server/tests/support/api.ts';
import type { ResourceObject } from '../packages/server/tests/support/client.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { tabTo, waitForFocus } from './support/keyboard.ts';
import { searchDatabase } from './support/search-database.ts';
import { typeCard, typeCode } from './support/type-card.ts';

/** A value unlikely to occur in an amount, id or time. */
const CVV = '907';

const numberOf = (token: string): string =>
  sandboxCards.find((card) => card.token === token)!.number;
const approvedNumber = numberOf('pan_test_visa');
const declinedNumber = numberOf('pan_test_generic_decline');
const challengeNumber = numberOf('pan_test_threeds_challenge');
const rejectedNumber = numberOf('pan_test_threeds_rejected');

// The demo merchant owns the shop, and the search reads all tables.
const api = useOwnStack();
let browser: Browser;
beforeAll(async () => {
  browser = await getSharedBrowser();
});
afterAll(() => closeWindows(browser));

interface Visit {
  readonly page: Page;
  readonly form: FrameLocator;
  /** Address, headers and body of every request of this visit, except for the sealed card. */
  readonly requests: string[];
}

async function visitShop(query = ''): Promise<Visit> {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => {
    requests.push(
      [request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n'),
    );
  });
  await page.goto(`${api.stack.baseUrl}/shop${query}`);
  await page.getByRole('button', { name: 'Buy for' }).click();
  return { page, form: page.frameLocator('#payment-form iframe'), requests };
}

async function payWith(
  { page, form }: Visit,
  number: string,
  cvv = CVV,
  press: 'button' | 'Enter' = 'button',
): Promise<void> {
  await form.getByLabel('Card number').fill(number);
  await form.getByLabel(/expir/i).fill('12/31');
  await form.getByLabel(/security code|cvv|cvc/i).fill(cvv);
  if (press === 'Enter') return form.getByLabel(/security code|cvv|cvc/i).press('Enter');
  await page.getByRole('button', { name: /^Pay/ }).click();
}

const fetchNewestPayment = async (): Promise<ResourceObject> =>
  (await api.client.get('/v2/payment_demands?page[size]=1')).body.data[0];

/** Searches requests and tables for the numbers and the verification value. */
async function expectNoTraces({ requests }: Visit): Promise<void> {
  const numbers = [approvedNumber, declinedNumber, rejectedNumber];
  const requestText = requests.join('\n');
  expect(requests.length).toBeGreaterThan(5);
  expect(numbers.filter((number) => requestText.includes(number))).toEqual([]);
  expect(requestText).not.toMatch(new RegExp(`"?cvv"?\\W{1,4}${CVV}`));
  const { adminDatabaseUrl } = api.stack;
  expect(
    await searchDatabase(adminDatabaseUrl, [...numbers, `"${CVV}"`, `(${CVV},`, `,${CVV},`]),
  ).toEqual([]);
  // Proves that the search works: a payment's state is in the tables.
  expect(await searchDatabase(adminDatabaseUrl, ['succeeded'])).toContain('public.payment_demands');
}

describe('the demo shop', () => {
  it('creates a payment when somebody buys, not for a visit, and orders again after an error', async () => {
    const count = async (): Promise<number> => {
      const { body } = await api.client.get('/v2/payment_demands?page[size]=100');
      return body.data.length;
    };
    const before = await count();
    const page = await browser.newPage();
    await page.goto(`${api.stack.baseUrl}/shop`);
    const buy = page.getByRole('button', { name: 'Buy for $24.99' });
    await buy.and(page.locator(':enabled')).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    expect(await count()).toBe(before);
    await page.route('**/shop/orders?*', (route) => route.abort(), { times: 1 });
    await buy.click();
    await page.getByText('The shop does not answer. Try again in a moment.').waitFor();
    await buy.dblclick();
    await page.frameLocator('#payment-form iframe').getByLabel('Card number').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay by card');
    expect(await count()).toBe(before + 1);
    await page.close();
  });

  it('tells a payer whose outcome is missing not to pay again', async () => {
    const visit = await visitShop();
    const { page } = visit;
    await page.route('**/shop/orders/*/pay?*', () => {});
    await page.clock.install();
    await payWith(visit, approvedNumber, CVV, 'Enter');
    await page.getByRole('button', { name: 'Paying…' }).waitFor();
    await page.clock.fastForward(20_000);
    await expect
      .poll(() => page.locator('#message').textContent())
      .toBe('We are checking with the bank. Do not pay again.');
    await page.close();
  });

  it('#2 explains refused cards, takes another for the same payment, and stores no trace of any', async () => {
    const visit = await visitShop();
    await payWith(visit, rejectedNumber, '9071');
    await visit.form.getByText('Your bank did not approve this card.').waitFor();
    const incompletePayment = await fetchNewestPayment();
    expect(incompletePayment.attributes.status).toBe('incomplete');
    await payWith(visit, declinedNumber);
    await visit.page.getByText('The bank declined the payment.').waitFor();
    const failedPayment = await fetchNewestPayment();
    expect(failedPayment.attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'generic_decline',
    });
    await payWith(visit, approvedNumber);
    await visit.page.getByRole('heading', { name: /approved/i }).waitFor();
    const payment = await fetchNewestPayment();
    expect([incompletePayment.id, failedPayment.id]).toEqual([payment.id, payment.id]);
    expect(payment.attributes).toMatchObject({
      status: 'succeeded',
      amount_cents: 2499,
      threeds_status: 'Y',
      eci: '05',
      cvc2_check: 'match',
    });
    expect(await visit.page.getByText(`ending in ${approvedNumber.slice(-4)}`).isVisible()).toBe(
      true,
    );
    await expectNoTraces(visit);
    await visit.page.close();
  });

  it('sells by keyboard alone, also when the bank asks for a code', async () => {
    const page = await browser.newPage();
    await page.goto(`${api.stack.baseUrl}/shop`);
    await page.getByRole('button', { name: 'Buy for' }).and(page.locator(':enabled')).waitFor();
    await tabTo(page, /^Buy for/);
    await page.keyboard.press('Enter');
    const form = page.frameLocator('#payment-form iframe');
    await form.locator('#number').waitFor();
    await waitForFocus(page, 'Pay by card');
    const visit = { page, form };
    await typeCard(visit, { number: challengeNumber, cvv: CVV });
    await tabTo(page, /^Pay/);
    await page.keyboard.press('Enter');
    await typeCode(visit, '123456');
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    await page.close();
  });

  it('shows the other form by its address, and confirms verifications that the page did not request', async () => {
    const { page, form } = await visitShop('?form=embedded&wallets=true&locale=de');
    await form.getByLabel('Kartennummer').waitFor();
    expect(await page.locator('#pay').isVisible()).toBe(false);
    const sheet = form.locator('dialog iframe');
    // The form accepts keys at once, but pointers only after the button was visible for a moment.
    await form.getByRole('button', { name: 'Google Pay' }).press('Enter');
    await sheet.contentFrame().getByRole('button', { name: '24' }).click();
    await page.getByRole('heading', { name: /approved/i }).waitFor();
    const payment = await fetchNewestPayment();
    expect(payment.attributes).toMatchObject({ status: 'succeeded', threeds_status: 'wallet' });
    await page.close();
  });
});
