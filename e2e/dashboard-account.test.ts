import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { peopleOf } from '../packages/server/tests/support/people.ts';
import { expectVisible } from './support/appears.ts';
import { violationsIn } from './support/axe.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { follow, newWindow } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { press, signInWithPassword, signOut, waitForHeading } from './support/sign-up.ts';

const STEP_MS = 30_000;

const api = useApi();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await getSharedBrowser();
  page = await newWindow(browser);
});

afterAll(() => closeWindows(browser));

const urlOf = (path: string) => `${api.stack.baseUrl}/dashboard/${path}`;

async function inspectPageOnPhone(path: string, name: string): Promise<void> {
  await follow(page, urlOf(path));
  await waitForHeading(page, name);
  await inspectOnPhone(page);
}

describe('pages of accounts', () => {
  it.each([
    ['sign-in', 'Sign in'],
    ['register', 'Create account'],
    ['forgot-password', 'Reset your password'],
    ['mailbox', 'Test mailbox'],
    ['link#nothing', 'Your link'],
  ])('%s passes axe and fits a phone', inspectPageOnPhone);
});

describe('a person', () => {
  let email: string;
  beforeAll(async () => {
    ({ email } = await peopleOf(api).makeOpener());
    await follow(page, urlOf('sign-in'));
    await signInWithPassword(page, email);
    await waitForHeading(page, 'Engines');
  });

  it('opens another business on a page that passes axe and fits a phone', () =>
    inspectPageOnPhone('new-business', 'Create a business'));

  it('sets an authenticator up on a page that passes axe and fits a phone, and signs in with it', async () => {
    await inspectPageOnPhone('account', 'Your account');
    const menu = page.getByRole('navigation', { name: 'Main' });
    await menu.getByRole('link', { name: 'Payments' }).waitFor();
    await press(page, 'Set up authenticator app');
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').first().textContent();
    const totp = new TOTP({ secret: secret ?? '' });
    await dialog.getByLabel('Code from the app').fill(totp.generate());
    await press(page, 'Turn on');
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const [recoveryCode = ''] = await page.getByRole('dialog').locator('li code').allTextContents();
    await page.getByLabel('I have stored the codes').check();
    await press(page, 'Done');
    await page.getByText('10 recovery codes left').waitFor();

    await signOut(page);
    await signInWithPassword(page, email);
    await waitForHeading(page, 'Two-factor authentication');
    expect(await violationsIn(page.mainFrame())).toEqual([]);
    const nextStep = { timestamp: Date.now() + STEP_MS };
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(totp.generate(nextStep));
    await press(page, 'Sign in');
    await waitForHeading(page, 'Engines');

    await signOut(page);
    await signInWithPassword(page, email);
    await press(page, 'Use a recovery code');
    await page.getByRole('textbox', { name: 'Recovery code', exact: true }).fill(recoveryCode);
    await press(page, 'Sign in');
    await waitForHeading(page, 'Engines');
    await follow(page, urlOf('account'));
    await page.getByText('9 recovery codes left').waitFor();
  });

  it('adds a passkey, and signs in without a password', async () => {
    await addAuthenticator();
    await follow(page, urlOf('account'));
    await page.getByLabel('New passkey').fill('Laptop');
    await press(page, 'Add passkey');
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor();

    await signOut(page);
    await press(page, 'Sign in with a passkey');
    await expectVisible(page.getByRole('heading', { name: 'Engines', level: 1 }));
  });
});

/** Adds a virtual authenticator to the window, which confirms its user automatically. */
async function addAuthenticator(): Promise<void> {
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
}
