import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import { launchBrowser } from './support/browser.ts';
import { type DashboardPage, openDashboard } from './support/dashboard.ts';

const PASSWORD = 'a mill and a store';
const STEP_MS = 30_000;

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await stack[Symbol.asyncDispose]();
});

const at = (path: string) => `${stack.baseUrl}/dashboard/${path}`;
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const newPage = async () => (await browser.newContext({ locale: 'en-US' })).newPage();

/** Opens the link of the newest mail to an address, in the box of a server that sends none. */
async function openMail(page: Page, email: string): Promise<void> {
  await page.goto(at('mailbox'));
  const letter = page.getByRole('article').filter({ hasText: email }).first();
  await letter.getByRole('link').click();
}

async function choosePassword(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.locator('input[type=password]').fill(PASSWORD);
  await press(page, 'Continue');
}

/** Somebody who has registered by mail and opened a business. */
async function register(page: Page, email: string): Promise<void> {
  await page.goto(at('register'));
  await page.getByLabel('E-mail').fill(email);
  await press(page, 'Send the mail');
  await page.getByText('Look into your mail').waitFor();
  await openMail(page, email);
  await heading(page, 'Welcome');
  await choosePassword(page, 'Ada Lovelace');
  await heading(page, 'Open a business');
  await page.getByLabel('Name of the business').fill('Engines');
  await press(page, 'Open it');
  await heading(page, 'Get ready for real payments');
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByText('Sign out', { exact: true }).click();
  await heading(page, 'Sign in');
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await press(page, 'Sign in');
}

describe('somebody new', () => {
  it('registers by mail, sets an authenticator up, and signs in with it', async () => {
    const page = await newPage();
    const email = 'ada@example.com';
    await register(page, email);

    await page.goto(at('account'));
    await press(page, 'Set up an authenticator');
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').first().textContent();
    const totp = new TOTP({ secret: secret ?? '' });
    await dialog.getByLabel('Code of the authenticator').fill(totp.generate());
    await press(page, 'Put it into use');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const [recovery = ''] = await page.getByRole('dialog').locator('li code').allTextContents();
    await page.getByLabel('I have put them away').check();
    await press(page, 'Done');
    await page.getByText('10 recovery codes left').waitFor();

    await signOut(page);
    await givePassword(page, email);
    await heading(page, 'One more step');
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    const next = { timestamp: Date.now() + STEP_MS };
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(totp.generate(next));
    await press(page, 'Sign in');
    await heading(page, 'Engines');

    await signOut(page);
    await givePassword(page, email);
    await press(page, 'Use a recovery code');
    await page.getByRole('textbox', { name: 'Recovery code', exact: true }).fill(recovery);
    await press(page, 'Sign in');
    await heading(page, 'Engines');
    await page.goto(at('account'));
    await page.getByText('9 recovery codes left').waitFor();
  });

  it('tells of the business step by step, and goes on where they left', async () => {
    const page = await newPage();
    await register(page, 'charles@example.com');
    await page.getByLabel('Business description').fill('Analytical engines');
    await page.getByLabel('Business website').fill('https://engines.example');
    await page.getByLabel('Phone number').fill('+12125550142');
    await page.getByLabel('Business zip code').fill('10001');
    await press(page, 'Save and continue');
    await page.getByRole('region', { name: 'Legal form' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Legal form' }).waitFor();
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });
});

describe('a passkey', () => {
  it('is added, and signs in without a password', async () => {
    const page = await newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await register(page, 'grace@example.com');
    await page.goto(at('account'));
    await page.getByLabel('A new passkey').fill('Laptop');
    await press(page, 'Add a passkey');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByLabel('I have put them away').check();
    await press(page, 'Done');
    await page.getByRole('cell', { name: 'Laptop' }).waitFor();

    await signOut(page);
    await press(page, 'Sign in with a passkey');
    await heading(page, 'Engines');
  });
});

describe('a colleague', () => {
  it('who is invited to read sees payments, and cannot give one back', async () => {
    const owner: DashboardPage = await openDashboard(browser, stack);
    await owner.go('team');
    await press(owner.page, 'Invite somebody');
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('clerk@example.com');
    await press(owner.page, 'Send the invitation');
    await owner.page.getByText('An invitation is on its way').waitFor();
    await owner.page.getByRole('row', { name: /clerk@example\.com Read only Invited/ }).waitFor();
    expect(await violationsIn(owner.page.mainFrame())).toEqual([]);

    const page = await newPage();
    await openMail(page, 'clerk@example.com');
    await heading(page, 'You are invited');
    await choosePassword(page, 'Sam Clerk');
    await heading(page, 'Florin Demo Shop');
    const merchant = new URL(owner.sandbox).pathname.split('/')[2] ?? '';
    const status = await page.evaluate(async (id) => {
      const response = await fetch('/v2/refund_demands', {
        method: 'POST',
        headers: {
          'content-type': 'application/vnd.api+json',
          'florin-merchant': id,
          'florin-mode': 'sandbox',
        },
        body: JSON.stringify({ data: { type: 'refund_demands', attributes: {} } }),
      });
      return response.status;
    }, merchant);
    expect(status).toBe(403);
    await page.goto(`${owner.sandbox}/team`);
    await heading(page, 'Team');
    expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);

    await owner.page.reload();
    await owner.page.getByRole('button', { name: 'Remove clerk@example.com' }).click();
    await press(owner.page, 'Remove');
    await owner.page.getByText('clerk@example.com is no longer a member.').waitFor();
    await owner.go('audit');
    await owner.page.getByText('PATCH /v2/memberships/:id/remove').waitFor();
    expect(await violationsIn(owner.page.mainFrame())).toEqual([]);
    expect(owner.complaints).toEqual([]);
  });
});

describe('pages of accounts', () => {
  it.each([
    ['sign-in', 'Sign in'],
    ['register', 'Open an account'],
    ['forgot-password', 'Reset your password'],
    ['mailbox', 'Letters of this server'],
    ['link#nothing', 'Your link'],
  ])('%s can be used by everybody', async (path, name) => {
    const page = await newPage();
    await page.goto(at(path));
    await heading(page, name);
    await page.waitForLoadState('networkidle');
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });

  it.each([
    ['account', 'Your account'],
    ['new-business', 'Open a business'],
  ])('%s can be used by everybody', async (path, name) => {
    const { page } = await openDashboard(browser, stack);
    await page.goto(at(path));
    await heading(page, name);
    await page.waitForLoadState('networkidle');
    expect(await violationsIn(page.mainFrame())).toEqual([]);
  });
});
