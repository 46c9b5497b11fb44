import { randomUUID } from 'node:crypto';
import type { PaymentNotes } from '@florin/contract/payment-notes.ts';
import { roleSlugs } from '@florin/contract/roles.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { eventually, makeDemand, makeDispute } from '../packages/server/tests/support/make.ts';
import { openMember } from '../packages/server/tests/support/open-member.ts';
import { expectVisible } from './support/appears.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { type DashboardPage, openDashboard, waitUntilSettled } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { waitForHeading } from './support/sign-up.ts';

const LONG_TIMEOUT = { timeout: 120_000 };

const api = useApi();
let browser: Browser;
let dashboard: DashboardPage;
let page: Page;

beforeAll(async () => {
  browser = await getSharedBrowser();
  await makeDispute(api.client);
  const { id } = await api.fixtures.getDemoMerchant();
  const notified = 'select 1 from member_notifications where merchant_id = $1';
  await eventually(
    () => api.fixtures.db.query(notified, [id]),
    ({ length }) => length > 0,
  );
  dashboard = await openDashboard(browser, api.stack);
  ({ page } = dashboard);
});

afterAll(() => closeWindows(browser));

const bell = () => page.getByRole('button', { name: /^Notifications: / });

describe('notifications of a member', () => {
  it('are counted in the header, and lead to the record by keyboard', async () => {
    await expectVisible(page.getByRole('button', { name: 'Notifications: 1 unread' }));
    await bell().focus();
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: /^Unread: A payer disputes \$197\.08\./ });
    await link.waitFor();
    await waitUntilSettled(page);
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    await page.keyboard.press('Tab');
    await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/sandbox\/disputes\/[0-9a-f-]{36}$/);
    await expectVisible(page.getByRole('button', { name: 'Notifications: 0 unread' }));
    expect(await link.isVisible()).toBe(false);
  });

  it('are listed on a page that passes axe and fits a phone, also in the dark', async () => {
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await waitForHeading(page, 'Notifications');
    await expectVisible(page.getByRole('link', { name: /^A payer disputes \$197\.08\./ }));
    await inspectOnPhone(page, true);
  });

  it('are marked as read up to the newest one in the list', async () => {
    const dispute = await makeDispute(api.client);
    const notified = 'select 1 from member_notifications where record_id = $1';
    await eventually(
      () => api.fixtures.db.query(notified, [dispute.id]),
      ({ length }) => length > 0,
    );
    await dashboard.load('notifications');
    const readAll = page.getByRole('button', { name: 'Mark all as read' });
    await readAll.click();
    await readAll.waitFor({ state: 'detached' });
    await expectVisible(page.getByRole('button', { name: 'Notifications: 0 unread' }));
    expect(await page.getByRole('link', { name: /^Unread: / }).count()).toBe(0);
  });

  it('tell of a mention in a note, and lead to its payment', async () => {
    const { id: merchant_id } = await api.fixtures.getDemoMerchant();
    const grace = { merchant_id, permissions: roleSlugs('support'), name: 'Grace Hopper' };
    const author = await openMember(api, grace);
    const payment = await makeDemand(api.client);
    const headers = {
      'florin-merchant': merchant_id,
      'florin-mode': 'sandbox',
      'idempotency-key': randomUUID(),
    };
    const path = `/dashboard/api/payments/${payment.id}/notes`;
    const { mentionable } = (await author.browser.get(path, headers)).body as PaymentNotes;
    const owner = mentionable.find((name) => name !== grace.name);
    const text = `@${owner} please call the payer`;
    expect((await author.browser.send('POST', path, { text }, headers)).status).toBe(201);
    await dashboard.load('payments');
    await page.getByRole('button', { name: 'Notifications: 1 unread' }).click();
    const mention = page.getByRole('link', {
      name: /^Unread: Grace Hopper mentioned you in a note about a payment of /,
    });
    await mention.click();
    await page.waitForURL(new RegExp(`/payments/${payment.id}$`));
    await mention.waitFor({ state: 'hidden' });
  });

  it('are switched by kind and channel', async () => {
    await dashboard.load('notifications');
    const email = page.getByRole('checkbox', { name: 'Dispute opened: by email' });
    expect(await email.isChecked()).toBe(false);
    await email.check();
    const stored = async () => {
      const { id } = await api.fixtures.getDemoMerchant();
      const choices = 'select is_on from notification_choices where merchant_id = $1';
      return api.fixtures.db.query(choices, [id]);
    };
    await expect.poll(stored, LONG_TIMEOUT).toEqual([{ is_on: 't' }]);
    await dashboard.load('notifications');
    await expect.poll(() => email.isChecked(), LONG_TIMEOUT).toBe(true);
    const inApp = page.getByRole('checkbox', { name: 'Dispute opened: in the dashboard' });
    expect(await inApp.isChecked()).toBe(true);
  });

  it('are reached from the navigation of a phone', async () => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 375, height: 740 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expectVisible(menu.getByRole('link', { name: 'Notifications', exact: true }));
    if (size) await page.setViewportSize(size);
    expect(dashboard.consoleErrors).toEqual([]);
  });
});

describe('a dispute', () => {
  const badge = (state: string) => page.locator('h1 ~ *').getByText(state, { exact: true });
  const decide = async (action: string) => {
    const { id } = await makeDispute(api.client);
    await dashboard.load(`disputes/${id}`);
    if (action === 'Submit evidence')
      await page.getByRole('textbox', { name: 'Shipping documentation' }).fill('UPS 1Z999');
    await page.getByRole('button', { name: action }).click();
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
  };

  it('shows the evidence that was sent, and the decision of the bank without a reload', async () => {
    await decide('Submit evidence');
    const evidence = page.getByRole('region', { name: 'Submitted evidence' });
    await expectVisible(evidence.getByText('UPS 1Z999'));
    await expectVisible(badge('✓ Won'));
    await inspectOnPhone(page);
  });

  it('that is accepted is lost, and does not ask to be accepted again', async () => {
    await decide('Accept dispute');
    await page.getByText('Dispute accepted.').waitFor();
    expect(await page.getByText('Accept the dispute to return the money').count()).toBe(0);
    await expectVisible(badge('✕ Lost'));
    await expectVisible(page.getByText('Not needed: the bank returned the money to the payer.'));
  });

  it('is listed on the page of its payer', async () => {
    await page.getByRole('definition').first().getByRole('link').click();
    const disputes = page.getByRole('region', { name: 'Disputes' });
    await expectVisible(disputes.getByRole('link', { name: /\$197\.08/ }));
  });

  it('counts in the total of the list, which a period limits', async () => {
    await dashboard.load('disputes?view=all');
    const total = page.getByRole('status').filter({ hasText: 'Total of' });
    await expectVisible(total);
    expect(await total.textContent()).toMatch(
      /^Total of \d disputes: \$[\d.]+ disputed, \$197\.08 of it lost$/,
    );
    await inspectOnPhone(page, true);
    await dashboard.load('disputes?view=all&date=last_month');
    await expectVisible(page.getByText('Last month'));
    await expectVisible(page.getByRole('heading', { name: /^No / }));
    expect(await total.count()).toBe(0);
  });

  it('leads from the balance to its transfers', async () => {
    await dashboard.load('balance');
    await page.getByRole('rowheader').getByRole('link', { name: 'Disputes' }).click();
    await waitForHeading(page, 'Ledger transfers');
    await expectVisible(page.getByRole('cell', { name: 'Dispute opened', exact: true }).first());
    await dashboard.load('balance/ledger?account=fees');
    await expectVisible(page.getByRole('rowheader', { name: /^Fee \S+/ }).first());
    await inspectOnPhone(page, true);
  });
});
