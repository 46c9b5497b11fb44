import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTOR_GRACE_DAYS } from '../packages/server/src/features/people/access/factor-rule.ts';
import { IDLE_SECONDS } from '../packages/server/src/features/people/accounts/sessions.ts';
import { useOwnStack } from '../packages/server/tests/support/api.ts';
import { documentOf } from '../packages/server/tests/support/client.ts';
import { createClockAhead } from '../packages/server/tests/support/clock-ahead.ts';
import { waitForLinkToken } from '../packages/server/tests/support/mailbox.ts';
import {
  fetchMe,
  invite,
  type Opener,
  PASSWORD,
  peopleOf,
  post,
} from '../packages/server/tests/support/people.ts';
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

describe('a member who leaves', () => {
  it('is removed after a choice about the keys, which are listed with their member', async () => {
    const guest = await peopleOf(api).makeNewcomer();
    await invite(opener, guest.email, ['user.merchant_tokens.create']);
    const token = await waitForLinkToken(guest.browser, guest.email, 'invitation');
    await post(guest.browser, 'links/use', { token });
    const key = documentOf('merchant_tokens', { name: 'Scanner', context: 'secret' });
    const sandbox = { ...opener.headers, 'florin-mode': 'sandbox' };
    await guest.browser.send('POST', '/v2/merchant_tokens', key, sandbox);

    await signIn('Engines');
    await goTo(`${opener.id}/sandbox/developers/keys`);
    await expectVisible(page.getByRole('row', { name: /Scanner.*Ada Lovelace/ }));
    await goTo(`${opener.id}/sandbox/team`);
    await press(page, `Remove ${guest.email}`);
    const dialog = page.getByRole('dialog');
    await expectVisible(dialog.getByText('Scanner · Sandbox'));
    await inspectOnPhone(page);
    await dialog.getByLabel('Hand over to me').check();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(`${guest.email} is no longer a member.`).waitFor();
    const answer = await opener.browser.get('/v2/merchant_tokens?filter[name]=Scanner', sandbox);
    const [kept] = answer.body.data;
    const { membership_id } = (await fetchMe(opener.browser)).merchants[0];
    expect(kept.attributes.expiry).toBeNull();
    expect(kept.relationships.creator.data.id).toBe(membership_id);
  });
});

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
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await signIn('Live mode needs a second factor');
    await inspectOnPhone(page);
    await goTo(`${opener.id}/sandbox/payments`);
    await waitForHeading(page, 'Payments');
    await goTo(`${opener.id}/live/payments`);
    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await waitForHeading(page, 'Your account');
    expect(refused).toEqual([]);
  });
});
