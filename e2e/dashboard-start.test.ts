import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { waitForLinkToken } from '../packages/server/tests/support/mailbox.ts';
import { invite, type Opener, peopleOf, post } from '../packages/server/tests/support/people.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { follow, newWindow, waitUntilSettled } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { signInWithPassword, waitForHeading } from './support/sign-up.ts';

const api = useApi();
let browser: Browser;
let page: Page;
let opener: Opener;
let merchantUrl: string;

beforeAll(async () => {
  browser = await getSharedBrowser();
  page = await newWindow(browser);
  opener = await peopleOf(api).makeOpener();
  const { email, id } = opener;
  merchantUrl = `${api.stack.baseUrl}/dashboard/${id}`;
  await follow(page, `${api.stack.baseUrl}/dashboard/sign-in`);
  await signInWithPassword(page, email);
  await waitForHeading(page, 'Engines');
});

afterAll(() => closeWindows(browser));

const list = () => page.getByRole('region', { name: 'Getting started' });

describe('the first steps of a new merchant', () => {
  it('lead to the pages where they are taken, pass axe and fit a phone', async () => {
    await expectVisible(list().getByText('0 of 7 done'));
    expect(await list().getByRole('link').allTextContents()).toEqual([
      'Make a test payment',
      'Create an API key',
      'Add a webhook',
      'Set the name, colour and logo of emails and pages',
      'Invite a colleague',
      'Apply for live mode',
    ]);
    await inspectOnPhone(page, true);
    await list().getByRole('link', { name: 'Make a test payment' }).click();
    await waitForHeading(page, 'New payment');
  });

  it('name the missing processor account, on every live page of an approved merchant', async () => {
    await api.fixtures.db.query(
      `update merchants set submitted_at = now(), active_at = now() where business_name = 'Engines'`,
      [],
    );
    await page.goto(`${merchantUrl}/live`);
    const missing = 'Live payments need a processor account. Ask your operator to connect one.';
    await expectVisible(page.getByRole('note').getByText(missing));
    await expectVisible(list().getByText(missing));
    await expectVisible(list().getByText('1 of 7 done'));
  });

  it('stay hidden for a member who hides them, by keyboard', async () => {
    await list().getByRole('button', { name: 'Hide' }).focus();
    await page.keyboard.press('Enter');
    await list().waitFor({ state: 'detached' });
    await page.goto(`${merchantUrl}/sandbox`);
    await waitForHeading(page, 'Engines');
    await expectVisible(page.getByRole('region', { name: 'Needs attention' }));
    expect(await list().count()).toBe(0);
  });
});

describe('a custom role', () => {
  const dialog = () => page.getByRole('dialog');
  const box = (name: string) => dialog().getByRole('checkbox', { name, exact: true });
  const select = (name: string) => dialog().getByLabel(name, { exact: true });

  it('starts from a role, and changes single permissions of it', async () => {
    const { email } = await peopleOf(api).makeNewcomer();
    await invite(opener, email, ['transaction.balances.read']);
    await follow(page, `${merchantUrl}/sandbox/team`);
    await expectVisible(page.getByRole('row', { name: `${email} Custom role: 1 permission` }));
    await page.getByRole('button', { name: `Edit the role of ${email}` }).press('Enter');
    await select('Role').and(page.locator(':focus')).waitFor();
    await expectVisible(dialog().getByRole('status').getByText('1 permission'));
    await select('Start from').selectOption('Support');
    expect(await box('Refunds: Create').isChecked()).toBe(true);
    await box('Refunds: Create').uncheck();
    await box('API keys: Read').check();
    await expectVisible(dialog().getByText('Compared with Support: 1 added, 1 removed.'));
    await inspectOnPhone(page, true);
    await select('Start from').selectOption('Current permissions');
    await expectVisible(dialog().getByRole('status').getByText('1 permission'));
    await select('Start from').selectOption('Finance');
    await box('Captures: Create').uncheck();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'hidden' });
    const row = page.getByRole('row', {
      name: new RegExp(`^${email} Custom role: \\d+ permissions`),
    });
    await row.getByRole('button', { name: 'Edit the role' }).click();
    expect(await box('Captures: Create').isChecked()).toBe(false);
    expect(await box('Refunds: Create').isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });
});

describe('a member with one permission', () => {
  /** Addresses that the server refused to the last window. */
  let refused: string[] = [];

  async function signInWith(permission: string): Promise<Page> {
    const guest = await peopleOf(api).makeNewcomer();
    await invite(opener, guest.email, [permission]);
    const token = await waitForLinkToken(guest.browser, guest.email, 'invitation');
    await post(guest.browser, 'links/use', { token });
    const window = await newWindow(browser);
    refused = [];
    window.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await follow(window, `${api.stack.baseUrl}/dashboard/sign-in`);
    await signInWithPassword(window, guest.email);
    return window;
  }

  it('starts at the first page of the menu, and is offered only what the permission allows', async () => {
    const guestPage = await signInWith('transaction.payment_demands.read');
    await waitForHeading(guestPage, 'Payments');
    expect(await guestPage.getByRole('link', { name: 'Home', exact: true }).count()).toBe(0);
    await expectVisible(guestPage.getByPlaceholder('Reference, amount or ID', { exact: true }));
    const filters = guestPage.getByRole('region', { name: 'Filters' });
    await expectVisible(filters.getByRole('button', { name: 'Amount', exact: true }));
    expect(await filters.getByRole('button', { name: 'Card', exact: true }).count()).toBe(0);
    await inspectOnPhone(guestPage);
    await guestPage.getByLabel('Find a payment').fill('1111');
    await guestPage.keyboard.press('Enter');
    await expectVisible(guestPage.getByText('Searched as: amount, reference.'));
    await follow(guestPage, `${merchantUrl}/sandbox/developers/sandbox?tool=triggers`);
    await expectVisible(guestPage.getByRole('tab', { name: 'Test cards', selected: true }));
    expect(await guestPage.getByRole('tab').allTextContents()).toEqual(['Test cards']);
  });

  it('never sees an error on the way to the only page', async () => {
    const guestPage = await signInWith('transaction.balances.read');
    await waitForHeading(guestPage, 'Balance');
    await guestPage.goto(`${merchantUrl}/sandbox`);
    await waitForHeading(guestPage, 'Balance');
    expect(refused).toEqual([]);
  });

  it.each([
    'transaction.payment_demands.read',
    'transaction.disputes.read',
    'developer.webhook_subscriptions.read',
    'user.merchants.read',
  ])('sends no request that %s does not allow, at home in both modes', async (permission) => {
    const guestPage = await signInWith(permission);
    for (const mode of ['sandbox', 'live']) {
      await guestPage.goto(`${merchantUrl}/${mode}?range=30`);
      await waitForHeading(guestPage, '');
      await waitUntilSettled(guestPage);
      await guestPage.waitForLoadState('networkidle');
    }
    expect(refused).toEqual([]);
  });
});
