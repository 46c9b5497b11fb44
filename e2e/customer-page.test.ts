import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { axProblems, readAxTree } from './support/ax-tree.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { cardOf } from './support/cards.ts';
import {
  type CustomerTestbed,
  openCustomerTestbed,
  type Resource,
} from './support/customer-testbed.ts';
import { typeCard, typeCode } from './support/type-card.ts';

let testbed: CustomerTestbed;
let browser: Browser;
beforeAll(async () => {
  [testbed, browser] = await Promise.all([openCustomerTestbed(), getSharedBrowser()]);
  await testbed.allow(['cancel', 'cancel_now', 'pause', 'change_card']);
});
let sharedVisit: Visit | undefined;
afterEach(() => closeWindows(browser, sharedVisit?.page.context()));
afterAll(async () => {
  await closeWindows(browser);
  await testbed[Symbol.asyncDispose]();
});

interface Visit {
  readonly page: Page;
  /** Errors in the browser's console, including policy violations. */
  readonly consoleErrors: string[];
}

/** Opens a window. `context`: its language and size. */
async function openWindow(context: BrowserContextOptions = {}): Promise<Visit> {
  const browserContext = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 900, height: 1_100 },
    ...context,
  });
  const page = await browserContext.newPage();
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  return { page, consoleErrors };
}

/** Opens the subscription's page, in the tests' shared window unless the window has settings of its own. */
async function visit(subscription: Resource, context?: BrowserContextOptions): Promise<Visit> {
  if (!context) sharedVisit ??= await openWindow();
  const openVisit = context || !sharedVisit ? await openWindow(context) : sharedVisit;
  openVisit.consoleErrors.length = 0;
  await openVisit.page.goto(await testbed.linkOf(subscription));
  return openVisit;
}

const statusOf = async ({ type, id }: Resource) =>
  (await testbed.fetch(type, id)).attributes.status;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** The page's notice after an action; it has the focus, so that screen readers read it. */
async function readNotice(page: Page): Promise<string | null> {
  const message = page.locator('#message:focus');
  await message.waitFor();
  return message.textContent();
}

/** `press`: how the card is saved. */
async function enterCard(page: Page, name: string, press: 'button' | 'Enter' = 'button') {
  const form = page.frameLocator('#card iframe');
  const { number, cvv } = cardOf(name);
  for (const [id, text] of Object.entries({ number, expiry: '12/31', cvv })) {
    await form.locator(`#${id}`).fill(text);
  }
  if (press === 'button') await button(page, 'Save card').click();
  else await form.locator('#cvv').press('Enter');
}

/** Returns the pixels by which the page is wider than the screen. */
const readOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe('a customer', () => {
  it('sees product, price, next charge and card; pauses, resumes and cancels with notices that take the focus', async () => {
    const subscription = await testbed.subscribe({ billing_timezone: 'Pacific/Auckland' });
    const { page, consoleErrors } = await visit(subscription);
    const nextBillingAt = new Date(String(subscription.attributes.next_billing_at));
    const text = await page.locator('main').textContent();
    const formatDay = (at: Date) =>
      at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'Pacific/Auckland' });
    const expectedTexts = [
      'A rose a month',
      'Active',
      '$25.00',
      'every month',
      formatDay(nextBillingAt),
      'Visa',
      '0004',
    ];
    for (const expectedText of expectedTexts) expect(text).toContain(expectedText);
    expect(await page.locator('.charges li').textContent()).toMatch(/\$25\.00\s+Paid\s+Receipt/);
    expect(await page.locator('h1').textContent()).toBe('Your subscription');
    await button(page, 'Pause').click();
    expect(await readNotice(page)).toBe('The subscription is paused.');
    expect(await statusOf(subscription)).toBe('paused');
    await button(page, 'Resume').click();
    expect(await readNotice(page)).toBe('The subscription continues.');
    expect(await statusOf(subscription)).toBe('active');

    await link(page, 'Cancel subscription').click();
    await link(page, 'Back').click();
    expect(await statusOf(subscription)).toBe('active');
    await link(page, 'Cancel subscription').click();
    await button(page, /^Cancel on /).click();
    expect(await readNotice(page)).toMatch(/^The subscription ends on \w+ \d+, \d+\.$/);
    expect(await page.locator('.badge.ending').textContent()).toBe('Ending');
    await button(page, 'Keep subscription').click();
    expect(await readNotice(page)).toBe('The subscription continues.');
    await link(page, 'Cancel subscription').click();
    await button(page, 'Cancel now').click();
    expect(await readNotice(page)).toBe('The subscription is cancelled.');
    expect(await statusOf(subscription)).toBe('cancelled');
    expect(await page.locator('main button, main .button').count()).toBe(0);
    expect(await link(page, 'Receipt').count()).toBe(0);
    expect(await page.getByRole('link', { name: /^Receipt/ }).count()).toBe(1);
    expect(consoleErrors).toEqual([]);
  });

  it('whose bank refuses a card keeps the old one, and enters the code for the next; earlier payments keep theirs', {
    timeout: 240_000,
  }, async () => {
    const subscription = await testbed.subscribe();
    const [charge] = await testbed.chargesOf(subscription);
    const { page, consoleErrors } = await visit(subscription);
    await link(page, 'Change card').click();
    const form = page.frameLocator('#card iframe');
    expect(await form.locator('h1').textContent()).toBe('Card details');
    await enterCard(page, 'threeds_rejected');
    await form.locator('.notice:not(:empty)').waitFor();
    await button(page, 'Save card').waitFor();
    const readCardId = async () =>
      (await testbed.fetch(subscription.type, subscription.id)).relationships.payment_method?.data
        ?.id;
    const oldCardId = subscription.relationships.payment_method?.data?.id;
    expect(await readCardId()).toBe(oldCardId);
    await page.reload();
    await form.locator('#number').waitFor();
    await typeCard({ page, form }, cardOf('threeds_challenge'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await typeCode({ page, form }, '123456');
    expect(await readNotice(page)).toBe('The card was changed.');
    const { number } = cardOf('threeds_challenge');
    expect(await page.locator('.facts').textContent()).toContain(number.slice(-4));
    expect(await readCardId()).not.toBe(oldCardId);
    const [latestCharge, ...otherCharges] = await testbed.chargesOf(subscription);
    expect([latestCharge?.relationships.payment_method?.data?.id, otherCharges]).toEqual([
      oldCardId,
      [],
    ]);
    expect(latestCharge?.id).toBe(charge?.id);
    expect(consoleErrors).toEqual([]);
  });

  it('sees a failed payment, changes the card, the charge is retried, and its receipt is self-contained', async () => {
    const subscription = await testbed.subscribe({}, 'insufficient_funds');
    const { page } = await visit(subscription);
    expect(await page.locator('.badge').first().textContent()).toBe('Payment failed');
    expect(await page.locator('main').textContent()).toContain('Change the card');
    await link(page, 'Change card').click();
    await enterCard(page, 'visa', 'Enter');
    // The page appears automatically when the payment has its outcome.
    expect(await readNotice(page)).toBe('The card was changed.');
    expect(await page.locator('.badge').first().textContent()).toBe('Active');
    expect(await page.locator('.facts').textContent()).toContain('Visa');
    expect(await page.locator('.charges').textContent()).toContain('Paid');
    const [charge, ...otherCharges] = await testbed.chargesOf(subscription);
    expect(otherCharges).toEqual([]);
    await testbed.refund(charge as Resource, 700);
    await page.reload();
    expect(await page.locator('.charges').textContent()).toContain('Partly refunded');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Receipt/ }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^receipt-rose-42-\d{4}-\d\d-\d\d\.html$/);
    const html = await readFile(await download.path(), 'utf8');
    expect(html).not.toMatch(/<script|src=|<link|url\(/);
    const receipt = await page.context().newPage();
    await receipt.setContent(html);
    const text = await receipt.locator('main').textContent();
    const expectedTexts = [
      'Florin Demo Shop',
      'Ada Lovelace',
      'rose-42',
      'Rose',
      '5',
      '$4.80',
      '$24.00',
    ];
    for (const expectedText of [
      ...expectedTexts,
      'Tax',
      '$1.00',
      '$25.00',
      'Visa',
      '0004',
      'Refunds',
      '$7.00',
    ]) {
      expect(text).toContain(expectedText);
    }
    expect(await violationsIn(receipt.mainFrame())).toEqual([]);
  });
});

const PHONE = { viewport: { width: 375, height: 800 } };
/** Languages besides English: long words, from right to left, and another script. */
const LOCALES = [
  ['de', 'ltr'],
  ['ar', 'rtl'],
  ['ja', 'ltr'],
] as const;

/** Visits each state of a running subscription's page. Presses buttons by keyboard. */
async function forEachState(
  page: Page,
  inspectState: (state: string) => Promise<void>,
): Promise<void> {
  const pageUrl = page.url();
  await inspectState('running');
  await page.goto(pageUrl);
  const focusOrder: string[] = [];
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press('Tab');
    focusOrder.push(await page.evaluate(() => document.activeElement?.textContent ?? ''));
  }
  expect(focusOrder).toEqual(['Change card', 'Pause', 'Cancel subscription', 'Receipt']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Cancel this subscription?' }).waitFor();
  await inspectState('asked again');
  await page.goto(`${pageUrl}/cancel`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await readNotice(page)).toMatch(/^The subscription ends on/);
  await inspectState('ending');
  await page.goto(`${pageUrl}/card`);
  await page.frameLocator('#card iframe').locator('#number').waitFor();
  await inspectState('card');
  await page.goto(`${new URL(pageUrl).origin}/s/nothing`);
  await inspectState('no link');
}

describe('the page', () => {
  it("works without scripts, except for cards, and in the address's language instead of the browser's", async () => {
    const subscription = await testbed.subscribe();
    const { page } = await visit(subscription, { javaScriptEnabled: false });
    const pageUrl = page.url();
    await page.goto(`${pageUrl}?locale=fr`);
    expect(await page.locator('h1').textContent()).toBe('Votre abonnement');
    await button(page, 'Mettre en pause').click();
    expect(await page.locator('#message').textContent()).toBe('L’abonnement est en pause.');
    await page.goto(pageUrl);
    await link(page, 'Cancel subscription').click();
    await button(page, /^Cancel on /).click();
    expect(await page.locator('#message').textContent()).toMatch(/^The subscription ends on/);
    await link(page, 'Change card').click();
    expect(await page.locator('noscript .message').isVisible()).toBe(true);
    expect(await button(page, 'Save card').count()).toBe(0);
  });

  it('is used by keyboard in reading order, passes axe in each state, light and dark, and fits a phone in each language', {
    timeout: 240_000,
  }, async () => {
    const { page } = await visit(await testbed.subscribe(), PHONE);
    await forEachState(page, async (state) => {
      expect(axProblems(await readAxTree(page))).toEqual([]);
      expect(await violationsIn(page.mainFrame()), state).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await violationsIn(page.mainFrame(), ['color-contrast']), state).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await readOverflow(page), state).toBe(0);
      const address = new URL(page.url());
      for (const [locale, direction] of LOCALES) {
        address.searchParams.set('locale', locale);
        await page.goto(address.href);
        expect(await page.locator('html').getAttribute('dir'), state).toBe(direction);
        if (state === 'card') await page.frameLocator('#card iframe').locator('#number').waitFor();
        if (state === 'running') expect(await violationsIn(page.mainFrame()), locale).toEqual([]);
        expect(await readOverflow(page), `${state} in ${locale}`).toBe(0);
      }
    });
  });
});
