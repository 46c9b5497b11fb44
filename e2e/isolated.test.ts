import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import {
  amounts,
  answer,
  attributesOf,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  useBank,
  type Verifying,
  type Visit,
  verify,
} from './support/use-bank.ts';

const use = useBank();
const LINK = 'Open your bank’s page in a new tab';

/** Follows the form's link to the bank and returns the tab that it opens. */
async function openTab({ page, tab }: Visit): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  await tab.form.getByRole('link', { name: LINK }).click();
  return opening;
}

const verifyIsolated = async (amount: number): Promise<Verifying> =>
  verify(await use.open(await use.shop.makePayment(amount), { shop: use.shop.isolated }));

/** Confirms the payment after the verification, as the shop does. */
async function expectPaid({ payment, ending }: Verifying): Promise<void> {
  expect(await ending).toMatchObject({ ok: true, type: 'payment_method_verified' });
  expect(await attributesOf(use.shop, payment)).toMatchObject({
    status: 'ready',
    threeds_status: 'Y',
  });
  await use.shop.confirm(payment);
  await expect
    .poll(async () => (await attributesOf(use.shop, payment)).status, SHORT_TIMEOUT)
    .toBe('succeeded');
}

describe('a cross-origin isolated shop', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 pays with a challenge in a new tab, whose address then leads nowhere', async () => {
    await using visit = await verifyIsolated(amounts.code);
    expect(await visit.page.evaluate(() => crossOriginIsolated)).toBe(true);
    const href = (await visit.tab.form.getByRole('link', { name: LINK }).getAttribute('href'))!;
    const bank = await openTab(visit);
    await answer(bank, '123456');
    await bank.getByText('Thank you. Close this page and go back to the shop.').waitFor();
    await expectPaid(visit);
    expect(new URL(visit.page.url()).pathname).toBe('/isolated');
    expect(visit.tab.complaints).toEqual([]);
    // The first address is used up; the others are modified and forged.
    for (const path of [href, href.replace('.', '.x'), '/threeds/v1/challenge/x.y/tab']) {
      const answered = await bank.goto(`${use.shop.stack.payUrl}${path}`);
      expect([answered?.status(), await bank.locator('form').count()]).toEqual([404, 0]);
    }
  });

  it('#17 pays without a challenge as every other shop does', async () => {
    const payment = await use.shop.makePayment(amounts.code);
    await using visit = await use.open(payment, { shop: use.shop.isolated });
    await visit.tab.fill({ number: '4242424242424242' });
    expect((await visit.tab.verify()).ok).toBe(true);
    expect(visit.tab.complaints).toEqual([]);
  });

  it('#17 resumes the challenge when its page is left and opened again', async () => {
    await using left = await verifyIsolated(amounts.code);
    const bank = await openTab(left);
    await bank.getByLabel('Code from your bank').waitFor();
    await using again = await use.open(left.payment, { shop: use.shop.isolated });
    await again.tab.form.getByRole('link', { name: LINK }).waitFor();
    await answer(bank, '123456');
    await expect
      .poll(() => again.tab.eventNames(), SHORT_TIMEOUT)
      .toContain('payment_method_verified');
  });
});

describe('a bank that forbids frames', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 is opened in a new tab, to approval', async () => {
    await using visit = await use.pay(amounts.unframeable);
    await visit.tab.form
      .getByText('Your bank asks for this on a page of its own. Come back here when you are done.')
      .waitFor();
    const bank = await openTab(visit);
    await answer(bank, '123456');
    await expectPaid(visit);
    expect(visit.page.url()).toBe(`${use.shop.shop}/`);
  });

  it('#17 is offered accessibly, and neither learns of nor navigates the page that opened it', async () => {
    await using visit = await use.pay(amounts.unframeable);
    await visit.tab.form.getByRole('link', { name: LINK }).waitFor();
    const form = visit.page.frames().find((frame) => frame.url().includes('/pay/'))!;
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit.page.emulateMedia({ colorScheme });
      expect(await violationsIn(form), colorScheme).toEqual([]);
    }
    await visit.page.emulateMedia({ colorScheme: null });
    expect(await form.evaluate(() => document.activeElement?.tagName)).toBe('A');
    const bank = await openTab(visit);
    await bank.getByLabel('Code from your bank').waitFor();
    expect(await bank.evaluate(() => [opener, document.referrer])).toEqual([null, '']);
  });

  it('#17 whose challenge is cancelled in the shop ends in its tab too', async () => {
    await using visit = await use.pay(amounts.unframeable);
    const bank = await openTab(visit);
    await bank.getByLabel('Code from your bank').waitFor();
    await visit.tab.form.getByRole('button', { name: 'Cancel' }).click();
    expect((await visit.ending).detail.code).toBe('challenge_cancelled');
    await answer(bank, '123456');
    await bank.getByText('Thank you.').waitFor();
    expect((await attributesOf(use.shop, visit.payment)).status).toBe('incomplete');
  });
});

describe('a bank whose page may stay invisible', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 can be opened in a tab after a while', async () => {
    await using visit = await use.pay(amounts.code);
    await visit.bank.getByLabel('Code from your bank').waitFor();
    const bank = await openTab(visit);
    await answer(bank, '123456');
    await expectPaid(visit);
  });
});
