import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, sharedBrowser } from './support/browser.ts';
import { type DashboardPage, openDashboard, settled } from './support/dashboard.ts';
import { newSecretKey } from './support/pasted-shop.ts';
import { paymentApi } from './support/payment-api.ts';

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;

beforeAll(async () => {
  browser = await sharedBrowser();
  await paymentApi(api.stack).pay({ amount_cents: 2500, email: 'lovelace@example.com' });
  dashboard = await openDashboard(browser, api.stack);
  ({ page } = dashboard);
});

afterAll(() => closeWindows(browser));

const LONG_TIMEOUT = { timeout: 30_000 };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function isAccessible(): Promise<void> {
  await settled(page);
  expect(await violationsIn(page.mainFrame())).toEqual([]);
}

describe('a developer', () => {
  it('finds a request in the log, without personal data', async () => {
    await dashboard.go('developers/requests?filter[route]=/v2/customers');
    await page.getByRole('table', { name: 'API requests' }).getByRole('link').first().click();
    await heading('POST /v2/customers');
    const sent = page.getByRole('region', { name: 'What was sent, as JSON' });
    expect(await sent.textContent()).toContain('"email": "[masked]"');
    expect(await page.locator('main').textContent()).not.toContain('lovelace');
    await page.getByText('curl --globoff -X POST').waitFor();
    await isAccessible();
  });

  it('rotates a key and revokes it: the old one works beside the new one, then neither', async () => {
    const works = async (key: string) =>
      (
        await fetch(`${api.stack.baseUrl}/v2/customers`, {
          headers: { authorization: `Bearer ${key}`, 'user-agent': 'e2e/1' },
        })
      ).status;
    const old = await newSecretKey(dashboard, 'Till');
    await page.getByRole('link', { name: 'Till' }).click();
    await heading('Till');
    await button('Rotate').click();
    await dialog().getByRole('button', { name: 'Rotate', exact: true }).click();
    const shown = page.getByRole('status').filter({ hasText: 'Till' });
    const next = (await shown.locator('code').textContent()) ?? '';
    expect(next).not.toBe(old);
    expect([await works(old), await works(next)]).toEqual([200, 200]);
    await button('Revoke').click();
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect([await works(old), await works(next)]).toEqual([401, 200]);
    await dashboard.go('developers/keys');
    const listed = page.getByRole('row').filter({ hasText: 'Till' });
    await listed.filter({ hasText: 'Revoked' }).waitFor();
    expect(await listed.filter({ hasText: 'Expired' }).count()).toBe(0);
    await isAccessible();
  });

  it('triggers an event, advances a clock, reads an email, and empties the sandbox', async () => {
    await dashboard.go('developers/sandbox?tool=triggers');
    await page
      .getByLabel('Event', { exact: true })
      .selectOption('transaction.payment_demands.succeeded');
    await button('Trigger').click();
    const told = page.getByRole('status').filter({ hasText: 'It has happened' });
    await told.getByText('transaction.payment_demands.succeeded').waitFor();
    await isAccessible();

    await page.getByRole('tab', { name: 'Clocks' }).click();
    await button('New clock').click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await button('31 days on').click();
    await expect.poll(() => button('31 days on').isEnabled(), LONG_TIMEOUT).toBe(true);
    await isAccessible();

    await page.getByRole('tab', { name: 'Mailbox' }).click();
    await page.getByRole('table', { name: 'Mailbox' }).getByRole('link').first().click();
    const letter = page.frameLocator('iframe[title="As its reader sees it"]');
    await letter.getByText('$25.00').first().waitFor();
    await isAccessible();

    await dashboard.go('developers/sandbox?tool=reset');
    expect(await button('Reset the sandbox').isDisabled()).toBe(true);
    await page.getByLabel('Type “reset sandbox” to confirm').fill('reset sandbox');
    await button('Reset the sandbox').click();
    await page.getByText(/records so far|reset removed/).waitFor();
    expect(dashboard.complaints).toEqual([]);
  });

  it('finds the snippet accessible', async () => {
    await dashboard.go('developers/snippet');
    await isAccessible();
  });
});
