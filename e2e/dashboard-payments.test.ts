import { readFileSync } from 'node:fs';
import { openDatabase } from '@florin/server/platform/database/db.ts';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { makeDemand } from '../packages/server/tests/support/make.ts';
import { addSettledDay } from '../packages/server/tests/support/settled-day.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import {
  collectConsoleErrors,
  type DashboardPage,
  newWindow,
  pagesOfMerchant,
  waitUntilSettled,
} from './support/dashboard.ts';
import { tabTo } from './support/keyboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { type PaymentApi, paymentApi, type RecordReference } from './support/payment-api.ts';
import {
  openByKeys,
  refundHalfByKeys,
  signInByKeys,
  switchModeByKeys,
} from './support/refund-by-keys.ts';

const LONG_TIMEOUT_MS = 120_000;
/** An amount that the simulator disputes as soon as it is captured. */
const DISPUTED_CENTS = 19_708;

const ROSES = {
  name: 'Roses',
  sku: 'R-12',
  quantity: 2,
  amount_cents: 1300,
  amount_currency: 'USD',
};

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;
let payments: PaymentApi;
let paidId: string;
let failedId: string;
let heldId: string;
let subscriptionId: string;
let disputedId: string;

beforeAll(async () => {
  browser = await getSharedBrowser();
  payments = paymentApi(api.stack);
  [paidId, failedId, heldId, subscriptionId, disputedId] = await Promise.all([
    payments.pay({
      amount_cents: 4200,
      purchase_reference: 'roses-1',
      line_items: [ROSES, { ...ROSES, name: 'Vase', quantity: 1, discount_cents: 100 }],
      shipping_detail: { shipping_cents: 300, shipping_currency: 'USD' },
    }),
    payments.pay({ amount_cents: 1999, card: 'insufficient_funds', email: 'grace@example.com' }),
    payments.pay({ amount_cents: 9900, capture_method: 'manual', card: 'mastercard' }),
    payments.subscribe({ amount_cents: 2500, purchase_reference: 'roses-monthly' }),
    payments.pay({ amount_cents: DISPUTED_CENTS, purchase_reference: 'tulips-1' }),
  ]);
  page = await newWindow(browser);
  const consoleErrors = collectConsoleErrors(page);
  await signInByKeys(page, api.stack);
  dashboard = { ...pagesOfMerchant(page), consoleErrors };
});

afterAll(() => closeWindows(browser));

/** Polls with a long time-out: pages load slowly on a busy machine. */
const eventually = <Result>(read: () => Promise<Result>) =>
  expect.poll(read, { timeout: LONG_TIMEOUT_MS });
const rows = () => page.locator('tbody tr[data-index]');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const timeline = () => page.getByRole('list', { name: 'Timeline' });

describe('the keyboard alone', () => {
  it('switches the mode, finds a payment and refunds half of it, only once if the form is sent again', async () => {
    await dashboard.go('');
    await switchModeByKeys(page);
    await openByKeys(page, { reference: 'roses-1', id: paidId });
    await refundHalfByKeys(page);
    expect(await payments.count('refund_demands', { 'filter[payment_demand]': paidId })).toBe(1);
    await tabTo(page, 'Refund', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await dialog().getByText('You can refund at most $21.00.').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });
});

describe('the list of payments', () => {
  beforeAll(() => dashboard.go('payments'));

  it.each([
    ['its id', () => paidId, '1 payment. Searched as: id, '],
    ['the email of its payer', () => 'Grace@example.com', '1 payment. Searched as: email, '],
    ['the last four digits of its card', () => '1111', 'Searched as: last four digits, amount, '],
    ['what no payment has', () => 'peonies', '0 payments. Searched as: reference.'],
    ['its amount', () => '$42.00', '1 payment. Searched as: amount, reference'],
    [
      'a part of its payer’s email',
      () => 'race@exam',
      '1 payment. Searched as: email, reference, part',
    ],
  ])('finds a payment by %s, and names the kind of search', async (_what, text, statusText) => {
    await page.getByLabel('Find a payment').fill(text());
    await page.getByLabel('Find a payment').press('Enter');
    await page.getByRole('status').getByText(statusText).waitFor();
    await eventually(() => rows().count()).toBe(statusText.startsWith('0') ? 0 : 1);
  });

  it('passes axe on a phone, light and dark, with what a search found', () =>
    inspectOnPhone(page, true));

  it('has tabs with counts, and shows incomplete payments in their tab only', async () => {
    await makeDemand(api.client);
    await dashboard.load('payments');
    await eventually(() => rows().count()).toBe(5);
    await openTab('Incomplete 1');
    await page.waitForURL(/tab=incomplete/);
    await eventually(() => rows().count()).toBe(1);
    await openTab('Refunded 1');
    await rows().getByText('Partly refunded $21.00').waitFor();
    await eventually(() => rows().count()).toBe(1);
    await page.getByText('They are also under “Succeeded” or “Disputed”.').waitFor();
    await openTab('All 5');
    await eventually(() => rows().count()).toBe(5);
  });

  it('counts what a search found in the tabs, which show their part of it', async () => {
    await page.getByLabel('Find a payment').fill('ada@example.com');
    await page.getByLabel('Find a payment').press('Enter');
    await openTab('Refunded 1');
    await page.getByRole('status').getByText('1 payment. Searched as: email').waitFor();
    await eventually(() => rows().count()).toBe(1);
    await page.locator('label', { hasText: 'Failed 0' }).waitFor();
    await button('Clear search').click();
    await openTab('All 5');
  });

  it('is filtered by status, card and amount, and exported as shown', async () => {
    await addFilter('Status', () => check('Succeeded'));
    await eventually(() => rows().count()).toBe(2);
    await button('Remove filter: Status: Succeeded').click();
    await addFilter('Card', () => check('Mastercard'));
    await eventually(() => rows().first().textContent()).toContain('$99.00');
    await page.locator('label', { hasText: 'All 1' }).waitFor();
    await page.locator('label', { hasText: 'Succeeded 0' }).waitFor();
    await button('Remove filter: Card: Mastercard').click();
    await addFilter('Amount', async () => {
      await page.getByLabel('Amount from').fill('42.001');
      await page.getByText('USD allows at most 2 decimal places.').waitFor();
      await page.getByLabel('Amount from').fill('42.00');
      await page.getByLabel('Amount up to').fill('100');
    });
    await button('Remove filter: Amount: $42.00 – $100.00').waitFor();
    await eventually(() => rows().count()).toBe(2);
    await button('Export CSV').click();
    await dialog().getByRole('checkbox', { name: 'Description' }).uncheck();
    const [heads, ...lines] = await downloadFile();
    expect(heads).toMatch(/^\uFEFFCreated \([^)]+\),Reference,Payer,Email,Amount,/);
    expect(lines).toHaveLength(2);
    expect(lines.find((line) => line.endsWith(paidId))).toMatch(
      /,roses-1,Ada,ada@example.com,42.00,USD,42.00,21.00,[\d.]+,Partly refunded,Visa,\d{4},/,
    );
    await button('Export CSV').click();
    await dialog().getByText('Raw (API)').click();
    const [rawHeads, ...rawLines] = await downloadFile();
    expect(rawHeads).toMatch(/^\uFEFFid,.*amount_cents/);
    expect(rawLines).toHaveLength(2);
  });

  it('is compared with the days before, and saved as a view', async () => {
    await button('Clear filters').click();
    await addFilter('Date', async () => {
      await page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
      await check('Compare with the period before');
    });
    const comparison = page.getByRole('table', { name: /^Approved payments, compared/ });
    await comparison.getByText(/^\$\S+ · [34] payments$/).waitFor();
    await inspectOnPhone(page);
    await button('Views').click();
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    await dialog().getByLabel('Name of the view').fill('This week');
    await page.keyboard.press('Enter');
    await button('Remove filter: Date: Last 7 days').click();
    await comparison.waitFor({ state: 'detached' });
    await button('Views').click();
    await page.getByRole('menuitem', { name: 'This week' }).click();
    await page.waitForURL(/date=last_7/);
    await comparison.waitFor();
  });
});

describe('several payments', () => {
  it('are refunded after a dry run, each once though the first response is lost', async () => {
    const ids = [];
    for (const reference of ['bulk-1', 'bulk-2'])
      ids.push(await payments.pay({ amount_cents: 1100, purchase_reference: reference }));
    await dashboard.load('payments');
    await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
    await page
      .getByRole('row', { name: /Failed/ })
      .getByRole('checkbox')
      .check();
    await page.getByRole('status').getByText('3 payments selected').waitFor();
    await button('Refund selected').click();
    await dialog()
      .getByText('All that is left of 2 payments is refunded: $22.00. 1 cannot be')
      .waitFor();
    await dialog().getByText('Not refunded: nothing was charged').waitFor();
    await inspectOnPhone(page, true);
    const refundRoute = await loseResponses('**/v2/refund_demands');
    expect(await button('Refund 2 payments').isDisabled()).toBe(true);
    await dialog().getByLabel('Reason').selectOption('Duplicate charge');
    await button('Refund 2 payments').click();
    await dialog()
      .getByText('0 refunds created. 1 payment was not refunded. 1 refund has no answer yet.')
      .waitFor();
    await page.unroute(refundRoute);
    await button('Try 2 again').click();
    await dialog().getByText('2 refunds created.').waitFor();
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog().waitFor({ state: 'hidden' });
    for (const id of ids)
      expect(await payments.count('refund_demands', { 'filter[payment_demand]': id })).toBe(1);
    await button('Clear selection').click();
    await button('Refund selected').waitFor({ state: 'detached' });
  });
});

/** Downloads the file that the dialog offers. Returns its lines. */
async function downloadFile(): Promise<readonly string[]> {
  const download = page.waitForEvent('download');
  await dialog().getByRole('link', { name: 'Download' }).click();
  const file = readFileSync(await (await download).path(), 'utf8');
  await dialog().waitFor({ state: 'hidden' });
  return file.trimEnd().split('\r\n');
}

/** The circle of a radio button is hidden; people click its text. */
const openTab = (name: string) => page.locator('label', { hasText: name }).click();
const check = (name: string) => page.getByRole('checkbox', { name, exact: true }).check();

/** Opens the form of a filter, fills it in and applies it. */
async function addFilter(name: string, fill: () => Promise<void>): Promise<void> {
  const filters = page.getByRole('region', { name: 'Filters' });
  await filters.getByRole('button', { name, exact: true }).click();
  await fill();
  await button('Apply').click();
}

/** The server executes the first request but its response is lost; later requests get a temporary refusal. */
async function loseResponses(address: string): Promise<string> {
  let requests = 0;
  await page.route(address, async (route) => {
    requests += 1;
    if (requests > 1) {
      await route.fulfill({ status: 429, headers: { 'retry-after': '0' }, json: { errors: [] } });
      return;
    }
    await route.fetch();
    await route.abort();
  });
  return address;
}

describe('a payment', () => {
  it('needs three requests, tells its story, and shows technical details on request', async () => {
    const requestedPaths: string[] = [];
    const recordRequest = (request: Request) => {
      if (/\/v2\/|\/payments\//.test(request.url()) && request.resourceType() === 'fetch')
        requestedPaths.push(new URL(request.url()).pathname);
    };
    page.on('request', recordRequest);
    await dashboard.go(`payments/${heldId}`);
    await timeline()
      .getByText(/^Held \$99\.00 on Mastercard •••• \d{4}$/)
      .waitFor();
    await page.getByRole('link', { name: /^Mastercard •••• / }).waitFor();
    await waitUntilSettled(page);
    expect(requestedPaths.toSorted()).toEqual([
      `/dashboard/api/payments/${heldId}/actors`,
      `/dashboard/api/payments/${heldId}/notes`,
      `/v2/payment_demands/${heldId}`,
    ]);
    page.off('request', recordRequest);
    await dashboard.go(`payments/${paidId}`);
    const items = page.getByRole('table', { name: 'Line items' });
    await items.getByRole('row', { name: 'Roses R-12 2 $13.00 $0.00 $26.00' }).waitFor();
    await items.getByRole('row', { name: 'Vase R-12 1 $13.00 -$1.00 $12.00' }).waitFor();
    await timeline()
      .getByText(/^Paid \$42\.00 by Visa •••• \d{4}$/)
      .waitFor();
    await timeline()
      .getByText(/^Refunded \$21\.00 by .+: cancelled by customer$/)
      .waitFor();
    await page.getByText('Technical details').click();
    const detailTexts = [
      'Ledger: Captured',
      'Ledger: Fee',
      'Payment succeeded',
      'transaction.payment_demands.succeeded',
    ];
    const records = page.getByRole('list', { name: 'Records in order of time' });
    for (const text of detailTexts) await records.getByText(text).waitFor();
    await inspectOnPhone(page);
    await dashboard.go(`payments/${failedId}`);
    await timeline().getByText('Declined: insufficient funds').waitFor();
    await page.getByRole('alert').getByText('Declined: insufficient funds').waitFor();
    await expectVisible(button('Retry'));
    await inspectOnPhone(page, true);
  });

  it('gets a note with a mention, which its author deletes', async () => {
    await dashboard.go(`payments/${paidId}`);
    await page.getByLabel('Mention a colleague').selectOption({ index: 1 });
    const note = page.getByLabel('Note for colleagues');
    expect(await note.inputValue()).toMatch(/^ ?@\S.* $/);
    await note.fill(`${await note.inputValue()}please call the payer`);
    await button('Add note').click();
    await timeline()
      .getByText(/@.* please call the payer$/)
      .waitFor();
    await eventually(() => note.inputValue()).toBe('');
    await inspectOnPhone(page, true);
    await timeline().getByRole('button', { name: 'Delete note' }).click();
    await dialog().getByRole('button', { name: 'Delete note' }).click();
    await timeline()
      .getByText(/please call the payer$/)
      .waitFor({ state: 'detached' });
  });

  it('sends its receipt again, to the address that the dialog names', async () => {
    await dashboard.go(`payments/${paidId}`);
    await button('Resend receipt').click();
    await dialog().getByText('Sends the receipt to ada@example.com again.').waitFor();
    await dialog().getByRole('button', { name: 'Resend receipt' }).click();
    await expectVisible(page.getByText('Receipt sent to ada@example.com.'));
    await expectVisible(timeline().getByText(/^Receipt sent again by \S/));
  });

  it('is refunded once if the response was lost, the retry refused, and the form is sent again', async () => {
    await dashboard.go(`payments/${paidId}`);
    const refundRoute = await loseResponses('**/v2/refund_demands');
    const refund = async () => {
      await button('Refund').click();
      await dialog().getByLabel('Amount to refund').fill('10');
      await dialog().getByLabel('Reason').selectOption('Duplicate charge');
      await button('Refund $10.00').click();
    };
    await refund();
    await dialog().getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await page.unroute(refundRoute);
    await refund();
    await page.getByText('Refund created.').last().waitFor();
    await dialog().waitFor({ state: 'hidden' });
    expect(await payments.count('refund_demands', { 'filter[payment_demand]': paidId })).toBe(2);
  });

  it('is not offered a second capture where its account takes one', async () => {
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    const setSeveralCaptures = (value: boolean | null) =>
      db.query(
        `update processor_details set several_captures = $2
         where merchant_id = (select merchant_id from payment_demands where id = $1)`,
        [heldId, value],
      );
    await setSeveralCaptures(false);
    await dashboard.load(`payments/${heldId}`);
    await button('Capture').click();
    await dialog().getByLabel('Amount to capture').fill('50');
    await dialog().getByText('releases the other $49.00').waitFor();
    expect(await dialog().getByLabel('This is the last capture').count()).toBe(0);
    await page.keyboard.press('Escape');
    await setSeveralCaptures(null);
    await dashboard.load(`payments/${heldId}`);
  });

  it('is captured in two parts while held', async () => {
    await dashboard.go(`payments/${heldId}`);
    await button('Capture').click();
    await dialog().getByLabel('Amount to capture').fill('50');
    await dialog().getByText('releases the other $49.00').waitFor();
    await dialog().getByLabel('This is the last capture').uncheck();
    await dialog().getByText('The other $49.00 stay on hold').waitFor();
    await button('Capture $50.00').click();
    await dialog().waitFor({ state: 'hidden' });
    await page.getByText('not the last one').waitFor();
    await button('Void authorisation').click();
    await dialog().getByText('Releases the remaining hold of $49.00').waitFor();
    await page.keyboard.press('Escape');
    await button('Capture').click();
    await dialog().getByText('You can capture at most $49.00.').first().waitFor();
    await dialog().getByLabel('Amount to capture').fill('40');
    await dialog().getByText('releases the other $9.00').waitFor();
    await button('Capture $40.00').click();
    await expectVisible(page.locator('[data-tone]').getByText('Succeeded').first());
  });
});

describe('a subscription', () => {
  it('is changed at the previewed price', async () => {
    await dashboard.go(`subscriptions/${subscriptionId}`);
    await button('Change plan').click();
    await dialog().getByText('Choose another amount').waitFor();
    await dialog().getByLabel('Amount per period').fill('40');
    await button('Preview cost').click();
    const cost = dialog().getByText('Charged now').locator('xpath=following-sibling::*');
    const previewedPrice = await cost.textContent();
    expect(previewedPrice).toMatch(/^\$1[45]\.\d\d$/);
    const filters = { 'filter[payment_subscription]': subscriptionId, sort: '-created_at' };
    expect(await payments.count('payment_demands', filters)).toBe(1);
    await button('Confirm change').click();
    await page.getByText('Change plan: done.').waitFor();
    const [charge] = await payments.list('payment_demands', filters);
    const { amount_cents, billing_reason } = charge?.attributes ?? {};
    expect([`$${Number(amount_cents) / 100}`, billing_reason]).toEqual([
      previewedPrice?.replace(/\.?0+$/, ''),
      'change',
    ]);
    await page.getByText('$40.00 · One month').waitFor();
    const changes = page.getByRole('region', { name: 'Changes', exact: true });
    await changes.getByText('$40.00').first().waitFor();
    // The preview is no change.
    expect(await changes.locator('tbody tr[data-index]').count()).toBe(1);
    await changes.getByRole('link').first().click();
    await page.getByText('Next amount').waitFor();
    await expectVisible(page.locator('dd').getByText('$40.00').first());
    await dashboard.go(`subscriptions/${subscriptionId}`);
  });

  it("is paused, resumed, and cancelled at the period's end", async () => {
    await button('Pause').click();
    await dialog().getByText('Stops all charges and retries').waitFor();
    await dialog().getByRole('button', { name: 'Pause' }).click();
    await button('Resume').click();
    await dialog().getByRole('button', { name: 'Resume' }).click();
    await button('Cancel subscription').click();
    await dialog().getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('Ends with the current period').waitFor();
    await inspectOnPhone(page);
    await button('Create customer link').click();
    await button('Create link').click();
    await dialog().getByText(`${api.stack.payUrl}/s/`).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });
});

/** Fills a text field from a file. */
async function attach(field: string, name: string, bytes: Uint8Array): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button(`Load from a text file: ${field}`).click();
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(bytes) });
}

describe('a dispute', () => {
  it('is answered in time: evidence is saved, and submitted with unsaved input', async () => {
    await dashboard.go('disputes');
    await rows()
      .first()
      .getByText(/in \d+ days/)
      .waitFor();
    await rows().first().getByText('ada@example.com').waitFor();
    await inspectOnPhone(page);
    await rows().first().getByRole('link').click();
    await page.getByRole('textbox', { name: 'Product description' }).fill('A dozen tulips');
    await inspectOnPhone(page);
    await attach('Product description', 'tulips.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
    await page.getByText('This file is not plain text.').waitFor();
    await attach('Shipping documentation', 'parcel.txt', new TextEncoder().encode('Signed for.'));
    await page.getByText('Loaded 11 characters from parcel.txt.').waitFor();
    const choice = page.locator('input[type=file][accept*="application/pdf"]');
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Signed for.') };
    await choice.setInputFiles(notes);
    await page.getByText('notes.txt has another type.').waitFor();
    // Otherwise the browser reports no change when the same file is chosen again.
    expect(await choice.inputValue()).toBe('');
    await button('Save').click();
    await page.getByText('Saved.').waitFor();
    const [savedDispute] = await payments.list('disputes', { 'page[size]': '1' });
    expect(savedDispute?.attributes).toMatchObject({
      product_description: 'A dozen tulips',
      shipping_documentation: 'Signed for.',
    });
    await page.getByRole('textbox', { name: 'Refund policy' }).fill('No refunds of cut flowers.');
    await payments.change(savedDispute as RecordReference, {
      customer_communication: 'They liked them.',
    });
    await button('Submit evidence').click();
    await dialog().getByText('decides about $197.08').waitFor();
    await dialog().getByRole('button', { name: 'Submit evidence' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    const refundPolicy = page.getByRole('textbox', { name: 'Refund policy' });
    expect(await refundPolicy.inputValue()).toBe('No refunds of cut flowers.');
    await button('Reload').click();
    await page.getByText('They liked them.').first().waitFor();
    await refundPolicy.fill('Cut flowers are not taken back.');
    await button('Submit evidence').click();
    await dialog().getByRole('button', { name: 'Submit evidence' }).click();
    await page.getByText('Evidence submitted.').waitFor();
    await button('Submit evidence').waitFor({ state: 'detached' });
    const [submittedDispute] = await payments.list('disputes', { 'page[size]': '1' });
    expect(submittedDispute?.attributes).toMatchObject({
      refund_policy: 'Cut flowers are not taken back.',
      customer_communication: 'They liked them.',
    });
    await page.getByRole('link', { name: 'View payment' }).click();
    await page.waitForURL(new RegExp(`/payments/${disputedId}$`));
    await timeline()
      .getByText(/^Dispute of \$197\.08 opened: /)
      .waitFor();
  });
});

describe('a payment link', () => {
  it('is created for a subscription, shown as a QR code, and ended', async () => {
    await dashboard.go('payment-links');
    await button('New payment link').click();
    await button('Create link').click();
    await dialog().getByLabel('What do you sell?').and(page.locator(':focus')).waitFor();
    await dialog().getByLabel('What do you sell?').fill('Roses');
    await dialog().getByRole('textbox', { name: 'Amount', exact: true }).fill('25');
    await dialog().getByLabel('The customer pays').selectOption('Every month');
    await dialog().getByLabel('A limited number of times').check();
    await dialog().getByLabel('Maximum number of payments').fill('20');
    await dialog().getByLabel('The link expires').selectOption('In 7 days');
    await dialog().getByText('More options').click();
    await dialog().getByLabel('Page after the payment').fill('example');
    await button('Create link').click();
    await dialog()
      .getByLabel('Page after the payment')
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    await inspectOnPhone(page, true);
    await dialog().getByLabel('Page after the payment').fill('');
    await button('Create link').click();
    await dialog()
      .getByRole('img', { name: `QR code of ${api.stack.payUrl}/l/` })
      .waitFor();
    await inspectOnPhone(page, true);
    const [link] = await payments.list('payment_links', { 'page[size]': '1' });
    expect(link?.attributes).toMatchObject({
      ...{ title: 'Roses', amount_cents: 2500, amount_currency: 'USD', uses_max: 20 },
      billing_period: 'one_month',
    });
    const opened = dialog().getByRole('link', { name: 'Open link' });
    expect(await opened.getAttribute('href')).toBe(link?.attributes.url);
    await dialog().getByRole('link', { name: 'View details' }).click();
    await page.getByRole('img', { name: `QR code of ${api.stack.payUrl}/l/` }).waitFor();
    await button('Expire link').click();
    await dialog().getByRole('button', { name: 'Expire link' }).click();
    await expectVisible(page.locator('[data-tone]').getByText('Expired').first());
    await dashboard.go('payment-links');
    await rows().first().waitFor();
    await inspectOnPhone(page);
  });
});

describe('a page that no other test visits', () => {
  const readCustomerId = async () =>
    (await payments.list('customers', { 'page[size]': '1' }))[0]?.id;

  const makePayoutId = async () => {
    await addSettledDay(api.fixtures, (await api.fixtures.getDemoMerchant()).id, paidId);
    return (await payments.list('payouts', { 'page[size]': '1' }))[0]?.id;
  };

  it.each<[string, () => string | Promise<string>]>([
    ['the subscriptions', () => 'subscriptions'],
    ['the balance', () => 'balance'],
    ['the ledger', () => 'balance/ledger'],
    ['the business', () => 'business'],
    ['the rules', () => 'risk'],
    ['a customer', async () => `records/customers/${await readCustomerId()}`],
    ['a payout', async () => `records/payouts/${await makePayoutId()}`],
  ])('passes axe on a phone: %s', async (_what, path) => {
    await dashboard.go(await path());
    await inspectOnPhone(page);
  });

  it('sums the fees of a period in the ledger', async () => {
    await dashboard.go('balance/ledger?account=fees');
    await button('Date').click();
    await page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
    await button('Apply').click();
    await page.waitForURL(/date=last_7/);
    await expectVisible(page.getByText(/^Total of the period: \$\S+$/));
    await inspectOnPhone(page, true);
  });

  it('compares this week with the same days of last week at home', async () => {
    await dashboard.go('');
    const week = page.getByRole('table', { name: /^Approved payments of this week/ });
    await expectVisible(week.getByText(/^\$\S+ · [1-9]\d* payments$/));
    await inspectOnPhone(page, true);
  });

  it('shows what a payout pays, and when the next one follows', async () => {
    await dashboard.go(`records/payouts/${(await payments.list('payouts', {}))[0]?.id}`);
    const lines = page.getByRole('table', { name: 'What this payout pays' });
    await expectVisible(lines.getByRole('row', { name: /^Total of the payout .* \$1\.00$/ }));
    await dashboard.go('balance');
    await expectVisible(page.getByText(/^(?:Next payout: |The next payout waits )/));
  });
});

it('a session ends by keyboard alone, without an error in the console', async () => {
  await dashboard.go('payments');
  await tabTo(page, /^Account: /, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(dashboard.consoleErrors).toEqual([]);
});
