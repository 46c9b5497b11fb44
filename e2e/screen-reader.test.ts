import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../packages/server/tests/support/api.ts';
import { announcements, axProblems, readAxTree } from './support/ax-tree.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { type DashboardPage, openDashboard, waitUntilSettled } from './support/dashboard.ts';
import { paymentApi } from './support/payment-api.ts';

// The demo merchant owns the shop.
const api = useOwnStack();
let browser: Browser;
let dashboard: DashboardPage;
beforeAll(async () => {
  browser = await getSharedBrowser();
  dashboard = await openDashboard(browser, api.stack);
});
afterAll(() => closeWindows(browser));

describe('the tree of the dashboard for screen readers', () => {
  it.each([
    '',
    'payments',
    'payments/new',
    'records/customers',
    'subscriptions',
    'payment-links',
    'disputes',
    'balance',
    'risk',
    'business',
    'team',
    'audit',
    'developers/keys',
    'developers/webhooks',
    'developers/requests',
    'developers/sandbox',
  ])('is complete at /%s', async (path) => {
    await dashboard.go(path);
    await waitUntilSettled(dashboard.page);
    expect(axProblems(await readAxTree(dashboard.page))).toEqual([]);
  });

  it('announces the result of an action', async () => {
    const { page, go } = dashboard;
    await go('records/customers');
    await page.getByRole('button', { name: 'New customer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(axProblems(await readAxTree(page))).toEqual([]);
    await dialog.getByLabel('Name').fill('Grace Hopper');
    await dialog.getByLabel('Email').fill('grace@example.com');
    await dialog.getByRole('button', { name: 'Create customer' }).click();
    await expect.poll(async () => announcements(await readAxTree(page))).not.toEqual([]);
  });
});

/** Frame of the card form. */
async function formOf(page: Page): Promise<Frame> {
  const element = page.locator('iframe').first();
  await element.waitFor();
  const frame = await (await element.elementHandle())?.contentFrame();
  await frame?.locator('#number').waitFor();
  return frame as Frame;
}

describe('the tree of the checkout for screen readers', () => {
  it('is complete in the shop and its card form, and announces problems', async () => {
    const page = await browser.newPage();
    await page.goto(`${api.stack.baseUrl}/shop`);
    await page.getByRole('button', { name: 'Buy for' }).click();
    const frame = await formOf(page);
    expect(axProblems(await readAxTree(page))).toEqual([]);
    expect(axProblems(await readAxTree(page, frame))).toEqual([]);
    await page.getByRole('button', { name: /^Pay/ }).click();
    await expect
      .poll(async () => announcements(await readAxTree(page, frame)))
      .toContain('Enter the card number.');
  });

  it('is complete on the page of a payment link, and in its card form', async () => {
    const link = await paymentApi(api.stack).make('payment_links', {
      title: 'A dozen roses',
      amount_cents: 2499,
      amount_currency: 'USD',
    });
    const page = await browser.newPage();
    await page.goto(String(link.attributes.url));
    expect(axProblems(await readAxTree(page))).toEqual([]);
    await page.locator('#email').fill('grace@example.com');
    await page.locator('#name').fill('Grace Hopper');
    await page.locator('form button').click();
    expect(axProblems(await readAxTree(page, await formOf(page)))).toEqual([]);
  });
});
