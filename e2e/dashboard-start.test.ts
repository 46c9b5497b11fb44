import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../packages/server/tests/support/api.ts';
import { peopleOf } from '../packages/server/tests/support/people.ts';
import { expectVisible } from './support/appears.ts';
import { closeWindows, getSharedBrowser } from './support/browser.ts';
import { follow, newWindow } from './support/dashboard.ts';
import { inspectOnPhone } from './support/passes-on-phone.ts';
import { signInWithPassword, waitForHeading } from './support/sign-up.ts';

const api = useApi();
let browser: Browser;
let page: Page;
let merchantUrl: string;

beforeAll(async () => {
  browser = await getSharedBrowser();
  page = await newWindow(browser);
  const { email, id } = await peopleOf(api).makeOpener();
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
