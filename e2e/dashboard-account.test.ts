import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appears } from './support/appears.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, sharedBrowser } from './support/browser.ts';
import { follow, openDashboard, settled } from './support/dashboard.ts';
import {
  givePassword,
  headingOf as heading,
  press,
  register,
  signOut,
  tellOfBusiness,
} from './support/sign-up.ts';

const STEP_MS = 30_000;

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), sharedBrowser()]);
});

afterAll(async () => {
  await closeWindows(browser);
  await stack[Symbol.asyncDispose]();
});

const at = (path: string) => `${stack.baseUrl}/dashboard/${path}`;
const newPage = async () => (await browser.newContext({ locale: 'en-US' })).newPage();

describe('a new person', () => {
  it('registers by email, sets an authenticator up, and signs in with it', async () => {
    const page = await newPage();
    const email = 'ada@example.com';
    await register(page, stack.baseUrl, email);

    await follow(page, at('account'));
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
    await follow(page, at('account'));
    await page.getByText('9 recovery codes left').waitFor();
  });

  it('enters the business step by step, and resumes after leaving', async () => {
    const page = await newPage();
    await register(page, stack.baseUrl, 'charles@example.com');
    await tellOfBusiness(page);
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
    await register(page, stack.baseUrl, 'grace@example.com');
    await follow(page, at('account'));
    await page.getByLabel('A new passkey').fill('Laptop');
    await press(page, 'Add a passkey');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByLabel('I have put them away').check();
    await press(page, 'Done');
    await page.getByRole('cell', { name: 'Laptop' }).waitFor();

    await signOut(page);
    await press(page, 'Sign in with a passkey');
    await appears(page.getByRole('heading', { name: 'Engines', level: 1 }));
  });
});

describe('pages of accounts', () => {
  /** Windows of a person who is not signed in, and of one who is. */
  let visitor: Page | undefined;
  let member: Page | undefined;

  it.each([
    ['sign-in', 'Sign in'],
    ['register', 'Open an account'],
    ['forgot-password', 'Reset your password'],
    ['mailbox', 'Letters of this server'],
    ['link#nothing', 'Your link'],
  ])('%s passes axe and fits a phone', async (path, name) => {
    visitor ??= await newPage();
    await follow(visitor, at(path));
    await heading(visitor, name);
    await settled(visitor);
    expect(await violationsIn(visitor.mainFrame())).toEqual([]);
  });

  it.each([
    ['account', 'Your account'],
    ['new-business', 'Open a business'],
  ])('%s passes axe and fits a phone', async (path, name) => {
    member ??= (await openDashboard(browser, stack)).page;
    await follow(member, at(path));
    await heading(member, name);
    await settled(member);
    expect(await violationsIn(member.mainFrame())).toEqual([]);
  });
});
