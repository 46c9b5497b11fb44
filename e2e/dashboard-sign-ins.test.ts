import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTOR_GRACE_DAYS } from '../packages/server/src/features/people/access/factor-rule.ts';
import { IDLE_SECONDS } from '../packages/server/src/features/people/accounts/sessions.ts';
import { useOwnStack } from '../packages/server/tests/support/api.ts';
import { createClockAhead } from '../packages/server/tests/support/clock-ahead.ts';
import { type Opener, PASSWORD, peopleOf } from '../packages/server/tests/support/people.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { follow, newWindow } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { press, signInWithPassword, waitForHeading } from './support/sign-up.ts';

const DAY_SECONDS = 24 * 60 * 60;
const clock = createClockAhead();
const api = useOwnStack({ config: { clock, strict_sign_in: true } });
let browser: Browser;
let page: Page;
let opener: Opener;

beforeAll(async () => {
  browser = await getSharedBrowser();
  page = await newWindow(browser);
  opener = await peopleOf(api).makeOpener();
});

afterAll(() => closeWindows(browser));

const goTo = (path: string) => follow(page, `${api.stack.baseUrl}/dashboard/${path}`);

async function signIn(heading: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${api.stack.baseUrl}/dashboard/sign-in`);
  await signInWithPassword(page, opener.email);
  await waitForHeading(page, heading);
}

describe('a page left open', () => {
  const MINUTE_MS = 60_000;

  const sessionEnded = () => page.getByRole('heading', { name: 'Your session has ended' });
  async function leavePage(): Promise<void> {
    clock.advance(IDLE_SECONDS);
    await page.clock.fastForward(IDLE_SECONDS * 1_000 + MINUTE_MS);
    await expectVisible(sessionEnded());
  }

  it('asks for the password again, and keeps what was typed', async () => {
    await page.clock.install();
    await signIn('Engines');
    await goTo(`${opener.id}/sandbox/records/customers`);
    await press(page, 'New customer');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Grace Hopper');
    await leavePage();
    await inspectOnPhone(page);
    await page.locator('input[type=password]').fill(PASSWORD);
    await press(page, 'Sign in');
    await sessionEnded().waitFor({ state: 'hidden' });
    expect(await name.inputValue()).toBe('Grace Hopper');
    await leavePage();
    await page
      .getByRole('dialog', { name: 'Your session has ended' })
      .getByRole('button', { name: 'Close' })
      .click();
    await page.waitForURL(/sign-in\?to=/);
  });
});

describe('a member without a second factor', () => {
  it('reads on live pages until when these work, and then a page with the way to a factor', async () => {
    await signIn('Engines');
    await goTo(`${opener.id}/live/payments`);
    await expectVisible(page.getByText(/From .*, your live permissions need a second factor/));
    await inspectOnPhone(page);
    clock.advance(FACTOR_GRACE_DAYS * DAY_SECONDS);
    await signIn('Live mode needs a second factor');
    await inspectOnPhone(page);
    await goTo(`${opener.id}/sandbox/payments`);
    await waitForHeading(page, 'Payments');
    await goTo(`${opener.id}/live/payments`);
    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await waitForHeading(page, 'Your account');
  });
});
