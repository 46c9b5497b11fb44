import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { type DashboardPage, follow, openDashboard } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { paymentApi } from './support/payment-api.ts';
import { asOperator, command, connectStandIn } from './support/stand-in-accounts.ts';

const CHANNEL = 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa';
const SECRET_KEY = 'sk_sbox_abcdefghijklmnopqrstuvwxyz2';
const SIGNATURE_KEY = 'signature-key-of-the-tests';
const MERCHANT_ACCOUNT = 'FlorinTest_ECOM';
const API_KEY = 'AQEexamplekeyofthetests1234567890';
const HMAC_KEY = '00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF';
/** The stand-ins decide after this time by their own clock, which the tests move. */
const DELAY_MS = 3_600_000;
const LONG_TIMEOUT = { timeout: 120_000 };
const CHANGES = { timeout: 60_000 };

const cleanup = new AsyncDisposableStack();
let browser: Browser;
let stack: Stack;
let dashboard: DashboardPage;
let page: Page;
/** A second window of the same person, with the operator's list of unknown outcomes. */
let list: Page;
let checkoutUrl: string;
let adyenUrl: string;

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-waiting-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const simulator = cleanup.use(await startSimulator(dataDir, 0));
  [checkoutUrl, adyenUrl] = [`${simulator.url}/checkout-com`, `${simulator.url}/adyen`];
  stack = cleanup.use(await startStack({ egress: [simulator.url] }));
  browser = await getSharedBrowser();
  dashboard = await openDashboard(browser, stack);
  ({ page } = dashboard);
  const checkout = await connectStandIn(page, stack, {
    processor: 'checkout_com',
    url: checkoutUrl,
    name: 'Checkout US',
    at: CHANNEL,
    books: { secret_key: SECRET_KEY, webhook_key: SIGNATURE_KEY, outcome_delay_ms: DELAY_MS },
    settings: { processing_channel_id: CHANNEL },
    secrets: { secret_key: SECRET_KEY, signature_key: SIGNATURE_KEY },
  });
  const adyen = await connectStandIn(page, stack, {
    processor: 'adyen',
    url: adyenUrl,
    name: 'Adyen EU',
    at: MERCHANT_ACCOUNT,
    books: { api_key: API_KEY, webhook_hmac_key: HMAC_KEY, outcome_delay_ms: DELAY_MS },
    settings: { merchant_account: MERCHANT_ACCOUNT },
    secrets: { api_key: API_KEY, hmac_key: HMAC_KEY },
  });
  const rules = [
    { name: 'Euros', conditions: { currencies: ['EUR'] }, accounts: [adyen] },
    { name: 'Rest', accounts: [checkout] },
  ];
  await asOperator(page, stack, ['PUT', '/routing/sandbox', { rules }]);
  list = await page.context().newPage();
  await list.goto(`${stack.baseUrl}/dashboard/operator/unknown`);
  await list.getByText('No unknown outcomes').waitFor();
}, 240_000);
afterAll(async () => {
  await closeWindows(browser);
  await cleanup.disposeAsync();
});

const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const openPayment = (id: string) => follow(page, `${dashboard.sandbox}/payments/${id}`);
const timeline = () => page.getByRole('list', { name: 'Timeline' });
/** Names of the actions of the payment. */
const actions = async () =>
  (await page.locator('main').getByRole('button').allTextContents()).filter((name) =>
    ['Retry', 'Confirm', 'Capture', 'Refund', 'Void authorisation', 'Cancel payment'].includes(
      name,
    ),
  );
/** The processor decides and notifies. */
const passTime = (url: string) => command(url, 'POST', '/clock', { advance_ms: 2 * DELAY_MS });

/** Loses the response of the next payment, and hides its outcome until the stand-in's time has passed. */
async function loseOutcome(): Promise<void> {
  const faults = [
    { method: 'POST', path: '/payments$', kind: 'lose_answer' },
    { method: 'GET', path: '/payments', kind: 'refuse', times: 1_000 },
  ];
  for (const fault of faults) await command(checkoutUrl, 'POST', '/faults', fault);
  const late = { kind: 'late', event: 'payment_approved', delay_ms: DELAY_MS };
  await command(checkoutUrl, 'POST', '/notification-faults', late);
}

/** Brings the attempt without an outcome where Florin stops: after a day of reversals that nobody confirmed. */
const leaveToOperator = () =>
  withClient(stack.adminDatabaseUrl, (client) =>
    client.query(
      `update attempts set status = 'reversing', decline_code = 'processor_unreachable', due_at = null
       where status in ('unknown', 'reversing')`,
    ),
  );

describe('a payment that waits for its processor', LONG_TIMEOUT, () => {
  it('whose response was lost is not charged again, and its outcome appears by itself', async () => {
    await loseOutcome();
    await openPayment(await paymentApi(stack).start({ amount_cents: 4_200 }));
    const alert = page.getByRole('alert').getByText('Outcome unknown');
    await alert.waitFor(CHANGES);
    await list.getByText('Inquire now').waitFor(CHANGES);
    expect(await actions()).toEqual([]);
    await inspectOnPhone(page);
    await inspectOnPhone(list);
    await passTime(checkoutUrl);
    await alert.waitFor({ state: 'detached', ...CHANGES });
    await expectVisible(timeline().getByText(/^Held \$42\.00 on Visa/));
    await command(checkoutUrl, 'DELETE', '/faults');
  });

  it('whose capture Checkout.com has only received cannot be captured again', async () => {
    await timeline().getByText('Capturing $42.00').waitFor(CHANGES);
    await expectVisible(timeline().getByText('has not confirmed this yet'));
    expect(await actions()).toEqual([]);
    await inspectOnPhone(page);
    await passTime(checkoutUrl);
    await timeline()
      .getByText(/^Paid \$42\.00 by Visa/)
      .waitFor(CHANGES);
    expect(await timeline().getByText('has not confirmed this yet').count()).toBe(0);
    await list.getByText('No unknown outcomes').waitFor(CHANGES);
  });

  it('whose refund Adyen has only received cannot be refunded twice', async () => {
    const euros = { amount_cents: 5_000, amount_currency: 'EUR' };
    await openPayment(await paymentApi(stack).start(euros));
    await list.getByText('Waits for the notification').waitFor(CHANGES);
    expect(await actions()).toEqual([]);
    await passTime(adyenUrl);
    await button('Refund').click(CHANGES);
    await dialog().getByRole('combobox', { name: 'Reason' }).selectOption('customer_canceled');
    await button('Refund €50.00', dialog()).click();
    await timeline()
      .getByText(/^Refunding €50\.00/)
      .waitFor();
    await expectVisible(timeline().getByText('has not confirmed this yet'));
    await list.getByText('Waits for the notification').waitFor(CHANGES);
    expect(await actions()).toEqual([]);
    await inspectOnPhone(page);
    await inspectOnPhone(list);
    await passTime(adyenUrl);
    await timeline()
      .getByText(/^Refunded €50\.00/)
      .waitFor(CHANGES);
    await list.getByText('No unknown outcomes').waitFor(CHANGES);
    expect(dashboard.consoleErrors).toEqual([]);
  });

  it('which nobody can tell about is confirmed by an operator with its id at the processor', async () => {
    await loseOutcome();
    await openPayment(await paymentApi(stack).start({ amount_cents: 4_300 }));
    await list.getByText('Inquire now').waitFor(CHANGES);
    const close = button('Close', list);
    await expect.poll(() => leaveToOperator().then(() => close.count()), CHANGES).toBe(1);
    await close.click();
    const dialog = list.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Succeeded' }).check();
    await inspectOnPhone(list);
    await dialog
      .getByLabel('Id of the payment at the processor')
      .fill('pay_mbabizu24mvu3mela5njyhpit4');
    await dialog.getByLabel('Reason').fill('Settled in the report of Friday');
    // The first one is the cross of the dialog.
    await button('Close', dialog).last().click();
    await timeline()
      .getByText(/^Paid \$43\.00 by Visa/)
      .waitFor(CHANGES);
    await list.getByText('No unknown outcomes').waitFor(CHANGES);
    await command(checkoutUrl, 'DELETE', '/faults');
    expect(dashboard.consoleErrors).toEqual([]);
  });
});
