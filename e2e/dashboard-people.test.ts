import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { expectVisible } from './support/appears.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import {
  type DashboardPage,
  follow,
  openDashboard,
  waitUntilSettled,
} from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { createSecretKey } from './support/pasted-shop.ts';
import { paymentApi } from './support/payment-api.ts';

const LONG_TIMEOUT = { timeout: 120_000 };

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;
let merchantId: string;

beforeAll(async () => {
  browser = await getSharedBrowser();
  await paymentApi(api.stack).pay({ amount_cents: 2500, email: 'lovelace@example.com' });
  dashboard = await openDashboard(browser, api.stack);
  ({ page } = dashboard);
  merchantId = (await api.fixtures.getDemoMerchant()).id;
});

afterAll(() => closeWindows(browser));

const waitForHeading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

/** Inspects the page as wide as it is, with its navigation. */
async function expectAccessible(): Promise<void> {
  await waitUntilSettled(page);
  expect(await violationsIn(page.mainFrame())).toEqual([]);
}

/** Fills in the reason and confirms. */
async function confirmAction(name: string, reason: string): Promise<void> {
  await dialog().getByLabel('Reason').fill(reason);
  await dialog().getByRole('button', { name, exact: true }).click();
  await page.getByText(`${name}: done.`).waitFor();
}

/** Creates a payment with the merchant's key. Returns the error if it is refused. */
const tryPayment = (): Promise<string> => {
  const product = { purchase_reference: 'order-2', purchase_kind: 'order' };
  const price = { amount_cents: 2500, amount_currency: 'USD' };
  const { make } = paymentApi(api.stack);
  return make('payment_demands', { ...product, ...price }).then(() => 'created', String);
};

describe('an operator', () => {
  it('finds a merchant, raises a red flag and quarantines it; its people read the reasons, and its next call is refused', async () => {
    await follow(page, `${api.stack.baseUrl}/dashboard/operator/merchants`);
    await page.getByLabel('Name, email or id').fill(merchantId);
    const merchantLink = page.getByRole('link', { name: 'Florin Demo Shop', exact: true });
    await expect.poll(() => merchantLink.count()).toBe(1);
    await inspectOnPhone(page);
    await merchantLink.click();
    await waitForHeading('Florin Demo Shop');
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Business dashboard' }).waitFor();
    expect(await menu.getByRole('link', { name: 'Payments' }).count()).toBe(0);
    await button('Raise red flag').click();
    await dialog().getByLabel('Violation').selectOption('rogue');
    await dialog().getByLabel('Mode').selectOption('sandbox');
    await confirmAction('Raise red flag', 'Sells what it may not');
    await button('Clear').click();
    await confirmAction('Clear', 'It was a mistake');
    expect(await tryPayment()).toBe('created');
    await button('Quarantine').click();
    await dialog().getByLabel('Sandbox').check();
    await confirmAction('Quarantine', 'Complaints of payers');
    expect(await tryPayment()).toContain('merchant_quarantined');
    await inspectOnPhone(page);

    await dashboard.go('red-flags');
    await page.getByText('It was a mistake').waitFor();
    await inspectOnPhone(page);
    await menu.getByRole('link', { name: 'Operator console' }).waitFor();
    const tabs = page.getByRole('navigation', { name: 'Alerts' });
    await tabs.getByRole('link', { name: 'Alerts' }).click();
    await page.getByText('Reason: Complaints of payers').waitFor();
    await page.getByText('This business is quarantined').waitFor();
    await inspectOnPhone(page);
    const seenButtons = page.getByRole('button', { name: 'Acknowledge' });
    const countBefore = await seenButtons.count();
    await seenButtons.first().click();
    await expect.poll(() => seenButtons.count()).toBe(countBefore - 1);

    await follow(page, `${api.stack.baseUrl}/dashboard/operator/merchants/${merchantId}`);
    await button('Lift restriction').click();
    await confirmAction('Lift restriction', 'It was cleared up');
    expect(await tryPayment()).toBe('created');
  });

  it('confirms the password after a long sign-in', async () => {
    const { email, password } = api.stack.credentials.account;
    await api.fixtures.db.query(
      `update sessions set fresh_until = now() - interval '1 second'
       where account_id = (select id from accounts where email = $1)`,
      [email],
    );
    await follow(page, `${api.stack.baseUrl}/dashboard/operator/merchants/${merchantId}`);
    await button('Add note').click();
    await dialog().getByLabel('Reason').fill('Spoke with the owner');
    await dialog().getByRole('button', { name: 'Add note', exact: true }).click();
    const identity = page.getByRole('dialog', { name: 'Confirm your identity' });
    await identity.locator('input[type=password]').fill(password ?? '');
    await identity.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Add note: done.').waitFor();
    await expectVisible(page.getByText('Spoke with the owner'));
  });

  it('reads that live mode of a merchant takes no cards, even if it is approved', async () => {
    await follow(page, `${api.stack.baseUrl}/dashboard/operator/merchants/${merchantId}`);
    await expectVisible(page.getByText('refuses card payments for this merchant'));
    await page.locator('main').getByText('No processor').first().waitFor();
    const submitted_at = new Date().toISOString();
    const { id } = await api.fixtures.makeMerchant({ active_at: null, submitted_at });
    await follow(page, `${api.stack.baseUrl}/dashboard/operator/merchants/${id}`);
    await button('Approve').click();
    await dialog().getByText('Live mode still refuses card payments').waitFor();
    await confirmAction('Approve', 'All is in order');
    await page.locator('main').getByText('No processor').first().waitFor();
    await page.getByRole('link', { name: 'View dashboard' }).click();
    await expectVisible(page.getByText('Live mode takes no cards'));
  });

  it('sees all workers and their state', async () => {
    await follow(page, `${api.stack.baseUrl}/dashboard/operator/health`);
    const workers = page.getByRole('table', { name: 'Workers' });
    const heartbeatRow = workers.getByRole('row').filter({ hasText: 'heartbeat' });
    await expectVisible(heartbeatRow.getByText('Running'));
    const shown = await workers.locator('tbody tr td:first-child').allInnerTexts();
    // A worker without a name for people shows its name in the log alone.
    expect(shown.filter((text) => !text.includes('\n'))).toEqual([]);
    await inspectOnPhone(page);
  });

  it.each([
    ['operator/reviews', 'Reviews due'],
    ['operator/unknown', 'Unknown outcomes'],
    ['operator/exceptions', 'Settlement exceptions'],
  ])('finds %s accessible, also on a phone', async (path, title) => {
    await follow(page, `${api.stack.baseUrl}/dashboard/${path}`);
    await waitForHeading(title);
    await inspectOnPhone(page);
  });
});

describe('the people of a merchant', () => {
  it('change their profile', async () => {
    await dashboard.go('business');
    await button('Edit profile').click();
    await page.getByRole('dialog', { name: 'Edit profile' }).waitFor();
    await dialog()
      .getByText('With “Required or asserted”, results that you send count too.')
      .waitFor();
    await dialog().getByLabel('Business description').fill('Mugs, and more mugs');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Mugs, and more mugs').waitFor();
    await inspectOnPhone(page);
  });
});

describe('a developer', () => {
  it('finds a request in the log, without personal data', async () => {
    await dashboard.go('developers/requests?filter[route]=/v2/customers');
    await page.getByRole('table', { name: 'API requests' }).getByRole('link').first().click();
    await waitForHeading('POST /v2/customers');
    const requestRegion = page.getByRole('region', { name: 'Request body as JSON' });
    expect(await requestRegion.textContent()).toContain('"email": "[masked]"');
    expect(await page.locator('main').textContent()).not.toContain('lovelace');
    await page.getByText('curl --globoff -X POST').waitFor();
    await expectAccessible();
  });

  it('rotates a key and revokes it: the old one works beside the new one, then neither', async () => {
    const requestStatusOf = async (key: string) =>
      (
        await fetch(`${api.stack.baseUrl}/v2/customers`, {
          headers: { authorization: `Bearer ${key}`, 'user-agent': 'e2e/1' },
        })
      ).status;
    const oldKey = await createSecretKey(dashboard, 'Till');
    await page.getByRole('link', { name: 'Till' }).click();
    await waitForHeading('Till');
    await button('Rotate').click();
    await dialog().getByRole('button', { name: 'Rotate', exact: true }).click();
    const keyNotice = page.getByRole('status').filter({ hasText: 'Till' });
    const newKey = (await keyNotice.locator('code').textContent()) ?? '';
    expect(newKey).not.toBe(oldKey);
    expect([await requestStatusOf(oldKey), await requestStatusOf(newKey)]).toEqual([200, 200]);
    await button('Revoke').click();
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('Key revoked.').waitFor();
    expect(
      await page
        .getByRole('term')
        .filter({ hasText: /^Expiry$/ })
        .count(),
    ).toBe(0);
    expect([await requestStatusOf(oldKey), await requestStatusOf(newKey)]).toEqual([401, 200]);
    const tabs = page.getByRole('navigation', { name: 'Developers' });
    await tabs.getByRole('link', { name: 'API keys' }).click();
    const keyRow = page.getByRole('row').filter({ hasText: 'Till' });
    await keyRow.filter({ hasText: 'Revoked' }).waitFor();
    expect(await keyRow.filter({ hasText: 'Expired' }).count()).toBe(0);
    await expectAccessible();
  });

  it('reads in words why a test of a webhook failed, and finds the webhook in the log by its address', async () => {
    const url = 'http://127.0.0.1:9/hook';
    await paymentApi(api.stack).make('webhook_subscriptions', { url, events: ['*'] });
    await dashboard.go('developers/webhooks');
    await page.getByRole('link', { name: url }).click();
    await waitForHeading(url);
    await button('Test').click();
    await dialog().getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('alert').getByText('Test failed: Connection refused').waitFor();
    await expectAccessible();
    await dashboard.go('audit');
    const row = page.getByRole('row').filter({ hasText: 'Sent a test event to a webhook' });
    await row.getByRole('link', { name: url }).waitFor();
    await row.getByRole('cell', { name: 'Succeeded', exact: true }).waitFor();
    await inspectOnPhone(page);
  });

  it('triggers an event, advances a clock, reads an email, and empties the sandbox', async () => {
    await dashboard.go('developers/sandbox?tool=triggers');
    await page
      .getByLabel('Event', { exact: true })
      .selectOption('transaction.payment_demands.succeeded');
    await button('Trigger event').click();
    const triggerNotice = page.getByRole('status').filter({ hasText: 'Event triggered' });
    await triggerNotice
      .getByText('Payment succeeded transaction.payment_demands.succeeded')
      .waitFor();
    await triggerNotice.getByRole('link', { name: /^\$[\d.]+.* \(Payments\)$/ }).waitFor();
    await expectAccessible();

    await page.getByRole('tab', { name: 'Clocks' }).click();
    await button('Create clock').click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await button('Advance 31 days').click();
    await expect.poll(() => button('Advance 31 days').isEnabled(), LONG_TIMEOUT).toBe(true);
    await expectAccessible();

    await page.getByRole('tab', { name: 'Test mailbox' }).click();
    await page.getByRole('table', { name: 'Test mailbox' }).getByRole('link').first().click();
    const emailFrame = page.frameLocator('iframe[title="Preview"]');
    await emailFrame.getByText('$25.00').first().waitFor();
    await expectAccessible();

    await dashboard.go('developers/sandbox?tool=reset');
    expect(await button('Reset sandbox').isDisabled()).toBe(true);
    await page.getByLabel('Type “reset sandbox” to confirm').fill('reset sandbox');
    await button('Reset sandbox').click();
    await page.getByText(/records so far|reset removed/).waitFor();
    expect(dashboard.consoleErrors).toEqual([]);
  });

  it('finds the snippet accessible', async () => {
    await dashboard.go('developers/snippet');
    await expectAccessible();
  });
});
