import { networkPaths } from '@florin/contract/protocol/network.ts';
import { seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import {
  amounts,
  attributesOf,
  CHALLENGE_OVER_S,
  challengeNumber,
  enterCode,
  frictionlessNumber,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  stateOf,
  useBank,
  type VerifyingVisit,
  type Visit,
  verify,
} from './support/use-bank.ts';

const LINK = 'Open your bank’s page in a new tab';
/** Time limit of a page that abandons its verification, usually while the bank's page is open. */
const ABANDON_MS = 2_000;
/** Seconds that the server's clock is ahead, for the end of a test. */
let offset_seconds = 0;
afterEach(() => {
  offset_seconds = 0;
});
const realClock = systemClock();
/** Values of threeDSCompInd that the simulated bank received, in order. */
let completions: string[] = [];
beforeEach(() => {
  completions = [];
});
const setup = useBank({
  clock: { now: () => realClock.now() + seconds(offset_seconds) },
  onBrowser: ({ method_completion }) => completions.push(method_completion),
});
const statusOf = async (payment: string) => (await attributesOf(setup.shop, payment)).status;

/** Enters another card after a refused one. */
async function verifyAgain(visit: Visit, number = challengeNumber): Promise<VerifyingVisit> {
  await visit.tab.form.locator('#number').fill('');
  await visit.tab.form.locator('#expiry').fill('');
  return verify(visit, number);
}

async function expectRefused(visit: VerifyingVisit, code: string): Promise<void> {
  const result = await visit.verification;
  expect(result).toMatchObject({ ok: false, type: 'payment_method_failed', detail: { code } });
  expect(await stateOf(setup.shop, result)).toBe('failed');
}

/** Expects the bank's page over the whole window, with the focus, in a dialog that says why. */
async function expectWholeWindow({ bank, page, tab }: Visit): Promise<void> {
  await bank.getByLabel('Code from your bank').waitFor();
  const { width, height } = page.viewportSize()!;
  expect(await page.locator('#form iframe').boundingBox()).toEqual({ x: 0, y: 0, width, height });
  expect(await tab.form.getByRole('dialog').getAttribute('aria-label')).toBe(
    'Confirmation by your bank',
  );
  const focusedTag = () =>
    tab.form.locator('body').evaluate((body) => body.ownerDocument.activeElement?.tagName);
  await expect.poll(focusedTag, SHORT_TIMEOUT).toBe('IFRAME');
}

describe('a challenge', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#15 of a late bank resumes in another tab and puts the approved card on the payment', async () => {
    const closedVisit = await setup.pay(amounts.late);
    await closedVisit.bank.getByLabel('Code from your bank').waitFor();
    await closedVisit.page.context().close();
    await using resumedVisit = await setup.open(closedVisit.payment);
    const { page, payment, tab } = resumedVisit;
    await enterCode(resumedVisit.bank, '123456');
    await expect.poll(() => tab.eventNames(), SHORT_TIMEOUT).toContain('payment_method_verified');
    expect(await attributesOf(setup.shop, payment)).toMatchObject({
      status: 'ready',
      threeds_status: 'Y',
      threeds_version: '2.2.0',
      eci: '02',
    });
    await setup.shop.confirm(payment);
    await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
    expect([new URL(page.url()).pathname, tab.consoleErrors]).toEqual(['/', []]);
  });

  it('#15 that fails, is cancelled or is abandoned refuses the card; an approved one pays the subscription', async () => {
    const id = await setup.shop.makeSubscription(amounts.code);
    await using visit = await setup.open(id);
    const { bank, page, tab } = visit;
    const { x, y, width } = (await page.locator('#form').boundingBox())!;
    const failedVisit = await verify(visit);
    await expectWholeWindow(visit);
    for (const code of ['1', '2', '3']) await enterCode(bank, code);
    await expectRefused(failedVisit, 'challenge_failed');
    await tab.form.getByText('Your bank could not confirm your identity.').waitFor();
    const visitCancelledAtBank = await verifyAgain(visit);
    await bank.getByRole('button', { name: 'Cancel' }).click();
    await expectRefused(visitCancelledAtBank, 'challenge_cancelled');
    const visitCancelledInForm = await verifyAgain(visit);
    await bank.getByLabel('Code from your bank').waitFor();
    await tab.form.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Escape');
    await expectRefused(visitCancelledInForm, 'challenge_cancelled');

    // The page's own time-out ends the challenge at the server, and closes its dialog.
    await tab.fill({ number: challengeNumber });
    expect(await tab.verify(ABANDON_MS)).toMatchObject({ ok: false, type: 'payment_timeout' });
    await expect.poll(() => tab.form.getByRole('dialog').count(), SHORT_TIMEOUT).toBe(0);
    const unpaidSubscription = await setup.shop.fetch('payment_subscriptions', id);
    expect(unpaidSubscription.relationships.payment_method?.data ?? null).toBeNull();

    const approvedVisit = await verifyAgain(visit);
    await enterCode(bank, '123456');
    expect(await approvedVisit.verification).toMatchObject({
      ok: true,
      detail: { payment_subscription: id },
    });
    expect(await stateOf(setup.shop, await approvedVisit.verification)).toBe('confirmed');
    await expect
      .poll(() => page.locator('#form').boundingBox(), SHORT_TIMEOUT)
      .toMatchObject({ x, y, width });
    expect(tab.consoleErrors).toEqual([]);
    const { attributes, relationships } = await setup.shop.fetch('payment_subscriptions', id);
    expect(attributes.threeds_status).toBe('Y');
    expect(relationships.payment_method?.data).toBeTruthy();
  });

  it('#15 at a bank that hangs can be opened in a tab after a while, and ends at its time-out', async () => {
    await using visit = await setup.pay(amounts.hang);
    const bank = await openTab(visit);
    await bank.getByText('This page does not continue automatically.').waitFor();
    offset_seconds = CHALLENGE_OVER_S;
    await expectRefused(visit, 'challenge_timeout');
  });
});

describe.concurrent('a challenge that the bank does not ask for', {
  timeout: LONG_TIMEOUT_MS,
}, () => {
  it('#15 with a bank that cannot be reached ends as payment_method_failed', async ({ expect }) => {
    await using visit = await setup.pay(amounts.unreachable);
    expect(await visit.verification).toMatchObject({
      ok: false,
      type: 'payment_method_failed',
      detail: { code: 'challenge_unavailable' },
    });
  });

  it('#15 and approved elsewhere needs nothing typed', async ({ expect }) => {
    await using visit = await setup.pay(amounts.oob);
    expect((await visit.verification).ok).toBe(true);
  });
});

describe('two tabs of one payment', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#7 have one authentication of the card entered last, and one charge if both confirm', async () => {
    const payment = await setup.shop.makePayment(amounts.code);
    await using firstTab = await setup.open(payment);
    await using secondTab = await setup.open(payment);
    const firstVisit = await verify(firstTab);
    await firstVisit.bank.getByLabel('Code from your bank').waitFor();
    const secondVisit = await verify(secondTab);
    await enterCode(secondVisit.bank, '123456');
    const [replacedResult, verifiedResult] = await Promise.all([
      firstVisit.verification,
      secondVisit.verification,
    ]);
    expect(replacedResult.detail.code).toBe('challenge_replaced');
    expect(verifiedResult.ok).toBe(true);
    expect([
      await stateOf(setup.shop, replacedResult),
      await stateOf(setup.shop, verifiedResult),
    ]).toEqual(['failed', 'confirmed']);
    const { relationships } = await setup.shop.fetch('payment_demands', payment);
    expect(relationships.payment_method?.data?.id).toBe(verifiedResult.detail.payment_method);
    const countsBefore = await readCounts();
    await Promise.allSettled([1, 2].map(() => setup.shop.confirm(payment)));
    await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
    const { authorisations, approved } = await readCounts();
    expect([authorisations, approved]).toEqual([
      countsBefore.authorisations + 1,
      countsBefore.approved + 1,
    ]);
  });
});

describe('the bank’s fingerprint of the browser', { timeout: LONG_TIMEOUT_MS }, () => {
  it.each([
    ['done', 'Y', amounts.code],
    ['never over', 'N', amounts.endlessLook],
  ])(
    '#14 that is %s is reported as %s, and no payment waits longer than the limit',
    async (_look, completion, amount) => {
      await using visit = await setup.open(await setup.shop.makePayment(amount));
      // The bank looks at the browser while the rest of the card is typed.
      await visit.tab.type({ number: frictionlessNumber });
      expect((await visit.tab.verify()).ok).toBe(true);
      expect(completions).toEqual([completion]);
      expect((await attributesOf(setup.shop, visit.payment)).threeds_status).toBe('Y');
    },
  );
});

describe('a hostile page of a bank', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#16 cannot take over the shop, open, download or go back, or impersonate the form', async () => {
    const openedVisit = await setup.open(await setup.shop.makePayment(amounts.hostile), {
      ownTab: true,
    });
    // A fingerprint that never starts is reported as U.
    await openedVisit.page.route('**/frame/v1/fingerprint', (route) => route.abort());
    await using visit = await verify(openedVisit);
    const { bank, page, tab, payment } = visit;
    const [popups, downloads, dialogs]: [Page[], string[], string[]] = [[], [], []];
    page.context().on('page', (popup) => popups.push(popup));
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    page.on('dialog', (dialog) => dialogs.push(dialog.message()));
    await page.evaluate(() => {
      document.title = 'Still here';
    });
    await bank.getByLabel('Code from your bank').waitFor();
    // The page's attempts come late; its last step reports that all were made.
    await bank.locator('[data-tried]').waitFor({ state: 'attached', ...SHORT_TIMEOUT });
    expect([page.url(), await page.title()]).toEqual([`${setup.shop.shopUrl}/`, 'Still here']);
    expect([popups, downloads, dialogs]).toEqual([[], [], []]);
    expect((await tab.eventNames()).filter((name) => /verified|approved/.test(name))).toEqual([]);
    expect((await attributesOf(setup.shop, payment)).status).toBe('incomplete');
    await enterCode(bank, '123456');
    expect((await visit.verification).ok).toBe(true);
    expect((await tab.eventNames()).filter((name) => /verified/.test(name)).length).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(completions).toEqual(['U']);
  });
});

/** Follows the form's link to the bank and returns the tab that it opens. */
async function openTab({ page, tab }: Visit): Promise<Page> {
  const popup = page.context().waitForEvent('page');
  await tab.form.getByRole('link', { name: LINK }).click();
  return popup;
}

/** Confirms the payment after the verification, as the shop does. */
async function expectPaid({ payment }: Visit): Promise<void> {
  expect((await attributesOf(setup.shop, payment)).threeds_status).toBe('Y');
  await setup.shop.confirm(payment);
  await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
}

describe('a cross-origin isolated shop', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 pays with a challenge in a new tab, which a form opened again resumes', async () => {
    const shopOptions = { shopUrl: setup.shop.isolatedUrl };
    await using challengedVisit = await setup.pay(amounts.code, challengeNumber, shopOptions);
    expect(await challengedVisit.page.evaluate(() => crossOriginIsolated)).toBe(true);
    const href = (await challengedVisit.tab.form
      .getByRole('link', { name: LINK })
      .getAttribute('href'))!;
    const bank = await openTab(challengedVisit);
    await bank.getByLabel('Code from your bank').waitFor();
    await using resumedVisit = await setup.open(challengedVisit.payment, shopOptions);
    await resumedVisit.tab.form.getByRole('link', { name: LINK }).waitFor();
    await enterCode(bank, '123456');
    await bank.getByText('Thank you. Close this page and return to the shop.').waitFor();
    expect(await challengedVisit.verification).toMatchObject({
      ok: true,
      type: 'payment_method_verified',
    });
    await expect
      .poll(() => resumedVisit.tab.eventNames(), SHORT_TIMEOUT)
      .toContain('payment_method_verified');
    await expectPaid(challengedVisit);
    expect(new URL(challengedVisit.page.url()).pathname).toBe('/isolated');
    expect([...challengedVisit.tab.consoleErrors, ...resumedVisit.tab.consoleErrors]).toEqual([]);
    // The first address is used up; the others are modified and forged.
    for (const path of [href, href.replace('.', '.x'), '/threeds/v1/challenge/x.y/tab']) {
      const response = await bank.goto(`${setup.shop.stack.payUrl}${path}`);
      expect([response?.status(), await bank.locator('form').count()]).toEqual([404, 0]);
    }
  });
});

describe('a bank that forbids frames', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 is offered accessibly in a new tab, knows no opener, and can be cancelled in the shop', async () => {
    await using visit = await setup.pay(amounts.unframeable);
    const { page, tab, payment } = visit;
    await tab.form.getByRole('link', { name: LINK }).waitFor();
    await tab.form
      .getByText('Your bank opens its own page for this. Return here when you are done.')
      .waitFor();
    const form = page.frames().find((frame) => frame.url().includes('/pay/'))!;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsIn(form), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
    expect(await form.evaluate(() => document.activeElement?.tagName)).toBe('A');
    const bankTab = await openTab(visit);
    await bankTab.getByLabel('Code from your bank').waitFor();
    expect(await bankTab.evaluate(() => [opener, document.referrer])).toEqual([null, '']);
    await tab.form.getByRole('button', { name: 'Cancel' }).click();
    expect((await visit.verification).detail.code).toBe('challenge_cancelled');
    await enterCode(bankTab, '123456');
    await bankTab.getByText('Thank you.').waitFor();
    expect(await statusOf(payment)).toBe('incomplete');

    const retriedVisit = await verifyAgain(visit);
    await enterCode(await openTab(retriedVisit), '123456');
    expect((await retriedVisit.verification).ok).toBe(true);
    await expectPaid(visit);
    expect(page.url()).toBe(`${setup.shop.shopUrl}/`);
  });
});

/** Number of authorisations at the simulated network so far. */
async function readCounts(): Promise<{ authorisations: number; approved: number }> {
  const response = await fetch(`${setup.shop.stack.simulatorUrl}${networkPaths.books}`);
  return (await response.json()) as { authorisations: number; approved: number };
}
