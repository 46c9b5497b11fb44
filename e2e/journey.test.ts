import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { openBrowser } from '../packages/server/tests/support/browser.ts';
import { waitForLinkToken } from '../packages/server/tests/support/mailbox.ts';
import { expectVisible } from './support/appears.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { follow, type MerchantPages, newWindow, pagesOfMerchant } from './support/dashboard.ts';
import {
  createSecretKey,
  type PastedShop,
  pasteSnippets,
  payAt,
  type Receiver,
  startReceiver,
} from './support/pasted-shop.ts';
import { type PaymentApi, paymentApi } from './support/payment-api.ts';
import {
  choosePassword,
  enterBusiness,
  press,
  register,
  waitForHeading,
} from './support/sign-up.ts';

const LONG_TIMEOUT = { timeout: 120_000 };
const PAID_EVENT = { name: 'Payment succeeded', code: 'transaction.payment_demands.succeeded' };

const api = useApi();
/** Unique names, because other files register people on the same server. */
const domain = `${randomUUID()}.example`;
const businessName = `Engines of ${domain}`;
const clerkEmail = `clerk@${domain}`;

let browser: Browser;
let receiver: Receiver;
let shop: PastedShop | undefined;

// State of the journey: each part continues where the previous one ended.
let owner: MerchantPages;
let secret_key: string;
let paymentId: string;
let subscriptionUrl: string;

beforeAll(async () => {
  [browser, receiver] = await Promise.all([getSharedBrowser(), startReceiver()]);
});

afterAll(async () => {
  await closeWindows(browser);
  await shop?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const dialogOf = (page: Page) => page.getByRole('dialog');
const timelineOf = (page: Page) => page.getByRole('list', { name: 'Timeline' });
/** The interface, as the merchant's program uses it. */
const merchantApi = (): PaymentApi =>
  paymentApi({ baseUrl: api.stack.baseUrl, credentials: { sandbox: { secret_key } } });

describe('a new merchant', () => {
  it('registers, verifies the address by email, and enters the business step by step, also after leaving', async () => {
    const page = await newWindow(browser);
    await register(page, api.stack.baseUrl, { email: `ada@${domain}`, business: businessName });
    owner = pagesOfMerchant(page);
    await enterBusiness(page);
    await page.reload();
    await page.getByRole('region', { name: 'Legal form' }).waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    await page.getByLabel('Entity type').selectOption('llc');
    await page.getByLabel('Category code').fill('5734');
    await page.getByRole('link', { name: 'Continue later' }).click();
    await dialogOf(page).getByText('Your changes are lost').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Tax id type').selectOption('ein');
    await press(page, 'Save and continue');
    await page.getByRole('region', { name: 'People' }).waitFor();
    await addOwner(page);
    await press(page, 'Continue');
    await enterBank(page);
    await press(page, 'Submit for review');
    await expectVisible(page.getByText('You have submitted everything.'));
  });

  it('registers a webhook endpoint and creates a key with all permissions', async () => {
    const { page, go } = owner;
    await go('developers/webhooks');
    await page.getByRole('button', { name: 'Add webhook', exact: true }).first().click();
    await dialogOf(page).getByLabel('URL').fill(receiver.url);
    await dialogOf(page).getByLabel(PAID_EVENT.name, { exact: true }).check();
    await dialogOf(page).getByRole('button', { name: 'Create' }).click();
    await waitForHeading(page, '/hook');
    subscriptionUrl = page.url();
    secret_key = await createSecretKey(owner, 'Warehouse');
    expect(secret_key).toMatch(/^ept_sandbox_s/);
  });

  it('pastes the copied snippet into a page of their own, where a card pays', async () => {
    shop = await pasteSnippets(owner, secret_key);
    await payAt(owner, shop.url);
  });

  it('finds the payment in the dashboard, and refunds half of it', async () => {
    const { page, go } = owner;
    await go('payments');
    const row = page.locator('tbody tr[data-index]');
    await expect.poll(() => row.count(), LONG_TIMEOUT).toBe(1);
    expect(await row.textContent()).toContain('$25.00');
    await row.getByRole('link').first().click();
    await page.waitForURL(/\/payments\/[0-9a-f-]{36}$/);
    paymentId = page.url().split('/').at(-1) ?? '';
    await press(page, 'Refund');
    await dialogOf(page).getByLabel('Amount to refund').fill('12.50');
    await dialogOf(page).getByText('refund the other $12.50 later').waitFor();
    await dialogOf(page).getByLabel('Reason').selectOption('Cancelled by customer');
    await press(page, 'Refund $12.50');
    await timelineOf(page)
      .getByText(/^Refunded \$12\.50/)
      .waitFor();
    const refunds = await merchantApi().list('refund_demands', {
      'filter[payment_demand]': paymentId,
    });
    expect(refunds.map(({ attributes }) => attributes.amount_cents)).toEqual([1250]);
    const [paidRecord] = await merchantApi().list('payment_demands', { 'filter[id]': paymentId });
    expect(paidRecord?.attributes).toMatchObject({
      amount_cents: 2500,
      amount_refunded_cents: 1250,
    });
  });

  it("sees the payment's webhook with request and response", async () => {
    const { page } = owner;
    const filters = { 'filter[webhook_subscription]': subscriptionUrl.split('/').at(-1) ?? '' };
    const readStates = async () => {
      const deliveries = await merchantApi().list('webhook_deliveries', filters);
      return deliveries.map(({ attributes }) => attributes.status);
    };
    await expect.poll(readStates, LONG_TIMEOUT).toContain('delivered');
    await follow(page, subscriptionUrl);
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByText('Delivered').first().waitFor();
    await deliveries.getByRole('link').first().click();
    await waitForHeading(page, PAID_EVENT.name);
    await page.getByText(PAID_EVENT.code).first().waitFor();
    const requestRegion = page.getByRole('region', { name: 'Request body as JSON' });
    const [receivedBody = ''] = receiver.bodies;
    expect(JSON.parse((await requestRegion.textContent()) ?? '')).toEqual(JSON.parse(receivedBody));
    expect(receivedBody).toContain(paymentId);
    await page.getByRole('region', { name: 'Attempts' }).locator('summary').click();
    await page.getByText('"x-shop": "roses"').waitFor();
    await page.getByText('"body": "thanks"').waitFor();
    await press(page, 'Redeliver');
    await dialogOf(page).getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText(/^Delivered\. The endpoint responded 2\d\d\.$/).waitFor();
    expect(
      await page
        .getByRole('status')
        .getByRole('button', { name: /^Close/ })
        .count(),
    ).toBe(1);
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });
});

/** Adds a person who represents the business and owns all of it. */
async function addOwner(page: Page): Promise<void> {
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel(/^(Dob|Date of birth)/).fill('1980-12-10');
  await choose(page.getByRole('combobox', { name: 'Nationality' }), 'GBR', 'United Kingdom');
  await page.getByLabel('Email').fill('ada@engines.example');
  await page.getByLabel('Phone number').fill('+12125550142');
  await page.getByLabel(/^(Id|ID) number/).fill('123456789');
  await page.getByLabel('Line 1').fill('1 Main Street');
  await page.getByLabel('City').fill('New York');
  await page.getByLabel('State').fill('NY');
  await page.getByLabel('Postal code').fill('10001');
  await choose(page.getByRole('combobox', { name: 'Country' }), 'USA', 'United States');
  await page.getByLabel('Role').fill('Director');
  await page.getByLabel('Ownership percentage').fill('100');
  await press(page, 'Add person');
  await page.getByText('Representatives: 1. Owners: 1.').waitFor();
  await page.getByText('Ada Lovelace: Director').waitFor();
  await page.getByText('Ada Lovelace: owns 100%').waitFor();
}

async function enterBank(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Bank' }).waitFor();
  await page.getByLabel('Name', { exact: false }).first().fill('Bank of Engines');
  await page.getByLabel('Holder name').fill('Engines');
  await page.getByLabel('Account number').fill('000123456789');
  await page.getByLabel('Routing number').fill('021000021');
  await press(page, 'Save and continue');
  await page.getByRole('region', { name: 'Submit' }).waitFor();
}

describe('a colleague invited with read permissions', () => {
  it('signs up in another browser, sees the payment, and cannot refund it', async () => {
    await owner.go('team');
    await press(owner.page, 'Invite member');
    await dialogOf(owner.page).getByLabel('Email address').fill(clerkEmail);
    await press(owner.page, 'Send invitation');
    await owner.page.getByText('is in the test mailbox').waitFor();

    const page = await newWindow(browser);
    const visitor = openBrowser(api.stack.baseUrl);
    const token = await waitForLinkToken(visitor, clerkEmail, 'invitation');
    await page.goto(`${api.stack.baseUrl}/dashboard/link#${token}`);
    await waitForHeading(page, 'Invitation');
    await choosePassword(page, 'Sam Clerk');
    await waitForHeading(page, businessName);
    await follow(page, `${owner.sandbox}/payments/${paymentId}`);
    await timelineOf(page)
      .getByText(/^Refunded \$12\.50/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).toBe(0);
    expect(await refundAsThePageWould(page)).toEqual({ status: 403, code: 'forbidden' });
    await follow(page, `${owner.sandbox}/team`);
    await waitForHeading(page, 'Team');
    expect(await page.getByRole('button', { name: 'Invite member' }).count()).toBe(0);
    const refunds = { 'filter[payment_demand]': paymentId };
    expect(await merchantApi().count('refund_demands', refunds)).toBe(1);
  });

  it('is removed, and the audit log has an entry', async () => {
    const { page, go, load } = owner;
    await load('team');
    await page.getByRole('row', { name: `${clerkEmail} Read only` }).waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    await press(page, `Remove ${clerkEmail}`);
    await press(page, 'Remove');
    await page.getByText(`${clerkEmail} is no longer a member.`).waitFor();
    await go('audit');
    const removal = page.getByText(/^Removed .+ from the team$/);
    await removal.waitFor();
    await page.getByLabel('Topic').selectOption('Customers');
    await removal.waitFor({ state: 'detached' });
    await page.getByLabel('Member', { exact: true }).selectOption('Ada Lovelace');
    await page.waitForURL(/audit\?action=%2Fv2%2Fcustomers&account=[0-9a-f-]{36}$/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.getByLabel('Topic').selectOption('Members');
    await page.waitForURL(/audit\?date=last_7&action=%2Fv2%2Fmemberships$/);
    await removal.waitFor();
    await page.reload();
    await removal.waitFor();
    await page.getByLabel('Period').selectOption('Other days');
    await page.getByLabel('Until').fill('2020-01-31');
    await page.getByText('No entries match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(/audit$/);
    await removal.waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });
});

/** Sends a refund past the page with its session; returns the interface's answer. */
function refundAsThePageWould(page: Page): Promise<{ status: number; code: string }> {
  const merchant = new URL(owner.sandbox).pathname.split('/')[2] ?? '';
  return page.evaluate(
    async ({ id, headers }) => {
      const data = {
        type: 'refund_demands',
        attributes: { amount_cents: 100, amount_currency: 'USD', reason: 'requested_by_customer' },
        relationships: { payment_demand: { data: { type: 'payment_demands', id } } },
      };
      const body = JSON.stringify({ data });
      const response = await fetch('/v2/refund_demands', { method: 'POST', headers, body });
      const { errors } = (await response.json()) as { errors?: { code: string }[] };
      return { status: response.status, code: errors?.[0]?.code ?? '' };
    },
    {
      id: paymentId,
      headers: {
        'content-type': 'application/vnd.api+json',
        'florin-merchant': merchant,
        'florin-mode': 'sandbox',
      },
    },
  );
}
