import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { describeFailedDownload } from './dashboard/failed-download.ts';
import { describeLiveWithoutProcessor } from './dashboard/live-without-processor.ts';
import { describeStillButton } from './dashboard/still-button.ts';
import { describeTypedAhead } from './dashboard/typed-ahead.ts';
import { expectVisible } from './support/appears.ts';
import { shopApi } from './support/bank-shop.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { choose } from './support/choose.ts';
import {
  closeNotices,
  type DashboardPage,
  newWindow,
  openDashboardIn,
} from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { paymentApi } from './support/payment-api.ts';
import { watchScriptBytes } from './support/script-bytes.ts';
import { storeCustomers } from './support/store-customers.ts';

const PAYMENT_COUNT = 12;
/** More than the pages of a list held in memory. */
const CUSTOMERS = 300;
const ROW_PX = 44;
const LONG_TIMEOUT_MS = 120_000;
const SCRIPT_BYTES_MAX = 200_000;

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let paymentId: string;
/** Compressed bytes of script that the first page loads. */
let first_page_bytes: number;
const linkAttributes = {
  title: 'Roses of last year',
  amount_cents: 1200,
  amount_currency: 'USD',
  purchase_reference: 'roses',
};

beforeAll(async () => {
  browser = await getSharedBrowser();
  const { make } = paymentApi(api.stack);
  const numbers = Array.from({ length: PAYMENT_COUNT }, (_, index) => index + 1);
  await Promise.all(
    numbers.map((number) =>
      make('payment_demands', {
        amount_cents: number * 100,
        amount_currency: 'USD',
        purchase_reference: `order-${number}`,
        purchase_kind: 'order',
      }),
    ),
  );
  await storeCustomers(api.fixtures, CUSTOMERS);
  await moveToLive((await make('payment_links', linkAttributes)).id);
  paymentId = await shopApi(api.stack).makePayment(420);
  const page = await newWindow(browser);
  const readScriptBytes = watchScriptBytes(page);
  dashboard = await openDashboardIn(page, api.stack);
  first_page_bytes = await readScriptBytes();
});

afterAll(() => closeWindows(browser));

/** Moves a link to live mode, as if it was created there while a processor took payments. */
const moveToLive = (id: string) =>
  api.fixtures.db.query(`update payment_links set mode = 'live' where id = $1`, [id]);

const readHeading = (page: Page): Promise<string | null> =>
  page.getByRole('heading', { level: 1 }).textContent();
/** Polls with a long time-out: pages load slowly on a busy machine. */
const eventually = <Result>(read: () => Promise<Result>) =>
  expect.poll(read, { timeout: LONG_TIMEOUT_MS });
/** Opens the last customer by keys alone, and waits for nothing. */
async function openCustomerWithoutLooking({ keyboard }: Page): Promise<void> {
  await keyboard.press('Control+k');
  await keyboard.type(`ow ${CUSTOMERS}`);
  await keyboard.press('Enter');
}

const rows = (page: Page) => page.locator('tbody tr[data-index]');
const focusedText = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent ?? '');

describe('a visitor who is not signed in', () => {
  it("signs in in the browser's language, and reaches the page in the address", async () => {
    const page = await newWindow(browser, { locale: 'de-DE' });
    await page.goto(`${dashboard.sandbox}/records/customers?sort=email`);
    await page.waitForURL(/sign-in/);
    await eventually(() => readHeading(page)).toBe('Anmelden');
    const { email, password } = api.stack.credentials.account;
    await page.getByLabel('E-Mail').fill(email);
    await page.locator('input[type=password]').fill(password ?? '');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.waitForURL(/records\/customers\?sort=email$/);
    await eventually(() => readHeading(page)).toBe('Kunden');
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.context().close();
  });
});

it('the first page inside loads less than 200 kB of script', () => {
  expect(first_page_bytes).toBeLessThan(SCRIPT_BYTES_MAX);
});

// Runs first: a newly loaded page has no focused element.
it("the keyboard goes everywhere, and starts at the new page's heading", async () => {
  const { page } = dashboard;
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe('Skip to content');
  await page.getByRole('link', { name: 'Customers' }).focus();
  await page.keyboard.press('Enter');
  await eventually(() => focusedText(page)).toBe('Customers');
  await rows(page).first().waitFor();
  await rows(page).first().getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  const name = await focusedText(page);
  await page.keyboard.press('Enter');
  await page.waitForURL(/records\/customers\/[0-9a-f-]{36}$/);
  await eventually(() => focusedText(page)).toBe(name);
});

describeStillButton(() => api.stack);

describeLiveWithoutProcessor({ readDashboard: () => dashboard, linkTitle: linkAttributes.title });

describe('a person who is signed in', () => {
  it('always sees the mode, and switches it in one place', async () => {
    const { page, go } = dashboard;
    await go('records/payment_demands');
    await page.getByText('Sandbox: no money moves.').waitFor();
    await inspectOnPhone(page);
    await page.getByText('Live (off)', { exact: true }).click();
    await page.waitForURL(/\/live\/records\/payment_demands$/);
    await page.getByText('No records yet').waitFor();
    expect(await page.getByText('Sandbox: no money moves.').count()).toBe(0);
    await page.getByText('Sandbox', { exact: true }).click();
    await page.waitForURL(/\/sandbox\/records\/payment_demands$/);
    await rows(page).first().waitFor();
  });

  it('reads a long list with only the visible rows in the page, and a few pages in memory', async () => {
    const { page, go } = dashboard;
    const read: string[] = [];
    const note = (request: Request) => read.push(request.url());
    page.on('request', note);
    const pagesRead = () => read.filter((url) => url.includes('/v2/customers?')).length;
    await go('records/customers?sort=email&filter[email][like]=row-');
    await page.getByText('50 rows, more to load').waitFor();
    expect(await rows(page).count()).toBeLessThan(45);
    await rows(page).first().getByRole('link').focus();
    await eventually(async () => {
      await page.keyboard.press('End');
      return focusedText(page);
    }).toBe(`Row ${CUSTOMERS}`);
    await page.getByText(`${CUSTOMERS} rows`, { exact: true }).waitFor();
    const before = pagesRead();

    await page.keyboard.press('Home');
    await eventually(() => focusedText(page)).toBe('Row 1');
    expect(pagesRead()).toBeGreaterThan(before);
    expect(await rows(page).count()).toBeLessThan(45);

    const region = page.locator('div:has(> table)');
    const far = CUSTOMERS * 0.75;
    await region.evaluate((it, top) => it.scrollTo({ top }), far * ROW_PX);
    await page.getByRole('link', { name: `Row ${far + 1}`, exact: true }).waitFor();
    expect(await region.evaluate(({ scrollTop }) => scrollTop)).toBe(far * ROW_PX);
    await page.keyboard.press('ArrowDown');
    await eventually(() => focusedText(page)).toBe('Row 2');

    await region.evaluate((it, top) => it.scrollTo({ top }), CUSTOMERS * ROW_PX);
    await page.getByRole('link', { name: `Row ${CUSTOMERS}`, exact: true }).waitFor();
    await eventually(() => focusedText(page)).not.toBe('Row 2');
    await region.evaluate((it) => it.scrollTo({ top: 0 }));
    await eventually(() => focusedText(page)).toBe('Row 2');
    page.off('request', note);
  });

  it('finds a customer by a part of the name with Ctrl-K, and finds the customer again', async () => {
    const { page, go } = dashboard;
    await go('payment-links');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search records, pages and actions' });
    await field.and(page.locator(':focus')).waitFor();
    await page.getByRole('option', { name: 'New customer' }).waitFor();
    await inspectOnPhone(page, true);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'hidden' });
    await eventually(() => focusedText(page)).toBe('Payment links');

    await openCustomerWithoutLooking(page);
    await page.waitForURL(/records\/customers\/[0-9a-f-]{36}$/);
    await eventually(() => focusedText(page)).toBe(`Row ${CUSTOMERS}`);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('order-12');
    await page.getByRole('option', { name: '$12.00 · order-12' }).waitFor();
    await inspectOnPhone(page, true);
    await field.fill('Row 29');
    // Rows 29, 129, 229, and 290 to 299.
    await page.getByRole('option', { name: '5 of 13 customers – show all' }).click();
    await page.waitForURL(/records\/customers\?q=Row(\+|%20)29$/);
    await eventually(() => rows(page).count()).toBe(13);
    await page.keyboard.press('Control+k');
    await field.fill('nav-no-such');
    await page.getByText('Nothing matches “nav-no-such”').waitFor();
    await field.fill('');
    await page.getByRole('option', { name: `Row ${CUSTOMERS}` }).waitFor();
    await field.fill('chargeback');
    await page.getByRole('option', { name: 'Disputes', exact: true }).waitFor();
    await field.fill('new cust');
    await page.getByRole('option', { name: 'New customer' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('keeps what is typed while Ctrl-K loads for the first time', async () => {
    const { page, go } = dashboard;
    await go('payment-links');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Payment links' }).waitFor();
    const { promise: typed, resolve: letLoad } = Promise.withResolvers<void>();
    const palette = /palette-[^/]*\.js$/;
    await page.route(palette, async (route) => {
      await typed;
      await route.continue();
    });
    await openCustomerWithoutLooking(page);
    letLoad();
    await page.waitForURL(/records\/customers\/[0-9a-f-]{36}$/);
    await eventually(() => focusedText(page)).toBe(`Row ${CUSTOMERS}`);
    await page.unroute(palette);
  });

  it('keeps the focus in Ctrl-K when the first results load their texts', async () => {
    const { page, load } = dashboard;
    await load('');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    await page.keyboard.type('order-12');
    await page.getByRole('option', { name: 'order-12' }).first().waitFor();
    await eventually(() => field.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/payments\/[0-9a-f-]{36}$/);
  });

  it('filters and sorts by the address, so that it can be shared', async () => {
    const { page, go } = dashboard;
    await go('records/payment_demands');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Field').selectOption('purchase_reference');
    await page.getByLabel('Condition').selectOption('like');
    await page.getByLabel('Value').fill('order-1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('5 rows', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('filter[purchase_reference][like]')).toBe(
      'order-1',
    );
    await page.getByRole('button', { name: 'Amount', exact: true }).click();
    await eventually(() => rows(page).first().textContent()).toContain('order-12');
    expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Amount');
    const sharedPath = page.url().slice(dashboard.sandbox.length + 1);
    await go('records/customers');
    await go(sharedPath);
    await eventually(() => rows(page).first().textContent()).toContain('order-12');
    await page.getByRole('button', { name: 'Remove filter' }).click();
    await page.getByText(`${PAYMENT_COUNT + 1} rows`, { exact: true }).waitFor();
  });

  it('filters by several states, and by a typed amount', async () => {
    const { page, go } = dashboard;
    const apply = () => page.getByRole('button', { name: 'Apply' }).click();
    await go('records/payment_demands');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Field').selectOption('status');
    await page.getByRole('checkbox', { name: 'Incomplete' }).check();
    await page.getByRole('checkbox', { name: 'Disputed' }).check();
    await apply();
    await page.getByText('Status is one of Incomplete or Disputed', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('filter[status][in]')).toBe('incomplete,disputed');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Field').selectOption('amount_cents');
    await page.getByLabel('Condition').selectOption('gte');
    await page.getByLabel('Value').fill('11.9');
    await apply();
    await page.getByText('Choose a currency first.').waitFor();
    await choose(page.getByRole('combobox', { name: 'Currency' }), 'usd', 'USD – US Dollar');
    await page.getByLabel('Value').fill('11.99');
    await apply();
    await page.getByText('Amount is at least $11.99', { exact: true }).waitFor();
    await page.getByText('1 row', { exact: true }).waitFor();
  });

  it('opens a record, runs an action its state allows after a question, and gets a notice', async () => {
    const { page, go } = dashboard;
    await go(`records/payment_demands/${paymentId}`);
    await page.getByText('$4.20').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You cannot undo this.', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).last().click();
    await page.getByRole('status').getByText('Cancel: done.').waitFor();
    await page.locator('[data-tone]').getByText('Cancelled').first().waitFor();
    await eventually(() => page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await inspectOnPhone(page);
  });

  it('creates and changes records in forms that show problems at each field', async () => {
    const { page, go } = dashboard;
    await go('records/customers');
    const createButton = page.getByRole('button', { name: 'Create customer', exact: true });
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('dialog').waitFor();
    await createButton.click();
    await eventually(() => page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await inspectOnPhone(page);
    await page.getByLabel('Email').fill('grace');
    await createButton.click();
    await eventually(() => page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await createButton.click();
    await page.waitForURL(/records\/customers\/[0-9a-f-]{36}$/);
    await eventually(() => readHeading(page)).toBe('Grace Hopper');
    await closeNotices(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Rear Admiral Hopper');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => readHeading(page)).toBe('Rear Admiral Hopper');
  });

  it('sees a message at unknown addresses', async () => {
    const { page, go } = dashboard;
    await go('nothing-here');
    expect(await readHeading(page)).toBe('Page not found');
    await inspectOnPhone(page);
    await go('records/unicorns');
    expect(await readHeading(page)).toBe('Unknown record type');
    await go(`records/customers/${paymentId}`);
    await page.getByRole('alert').getByText('No record with this id').waitFor();
  });

  it('signs in again over typed text when the session has ended', async () => {
    const { page, go } = dashboard;
    await go('records/customers');
    await page.getByRole('button', { name: 'New customer', exact: true }).click();
    const searched = page.waitForResponse(/\/customers\?email=/);
    await page.getByRole('dialog').getByLabel('Email').fill('kept@example.com');
    await searched;
    await page.context().clearCookies();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const sessionDialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await sessionDialog.locator('input[type=password]').focus();
    await page.keyboard.press('Escape');
    await sessionDialog
      .locator('input[type=password]')
      .fill(api.stack.credentials.account.password ?? '');
    await sessionDialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectVisible(page.getByText('kept@example.com').first());
  });

  describeFailedDownload(() => dashboard);
  describeTypedAhead(() => dashboard);

  it('passes axe at home and on the list of types, and goes through the navigation of a phone', async () => {
    const { page, go } = dashboard;
    await go('');
    await inspectOnPhone(page, true);
    await go('records');
    await inspectOnPhone(page);
    const viewportSize = page.viewportSize();
    await page.setViewportSize({ width: 375, height: 740 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('link', { name: 'Home' }).last().click();
    await page.waitForURL(/sandbox$/);
    if (viewportSize) await page.setViewportSize(viewportSize);
  });

  // Runs last, because nobody is signed in afterwards. Another test signs in and returns to the page in the address.
  it('leaves for the sign-in page without a new sign-in, and never had an error in the console', async () => {
    const { page, go, consoleErrors, sandbox } = dashboard;
    await go('records/customers');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Disputes', exact: true }).click();
    const sessionDialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await sessionDialog.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(/sign-in\?to=/);
    const to = new URL(page.url()).searchParams.get('to');
    expect(`${sandbox}/disputes`.endsWith(`/dashboard${to}`)).toBe(true);
    await page.getByText('Your session has ended. Sign in to continue.').waitFor();
    expect(consoleErrors).toEqual([]);
  });
});
