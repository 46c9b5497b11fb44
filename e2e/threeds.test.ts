import { networkPaths } from '@florin/contract/protocol/network.ts';
import { seconds, systemClock } from '@florin/server/platform/time/clock.ts';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violationsIn } from './support/axe.ts';
import {
  amounts,
  asked,
  attributesOf,
  CHALLENGE_OVER_S,
  enterCode,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  stateOf,
  trusted,
  useBank,
  type Verifying,
  type Visit,
  verify,
} from './support/use-bank.ts';

const LINK = 'Open your bank’s page in a new tab';
/** Time limit of a page that abandons its verification, usually while the bank's page is open. */
const ABANDON_MS = 2_000;
/** Seconds that the server's clock is ahead, for the end of a test. */
let ahead_s = 0;
afterEach(() => {
  ahead_s = 0;
});
const system = systemClock();
/** Values of threeDSCompInd that the simulated bank received, in order. */
let completions: string[] = [];
beforeEach(() => {
  completions = [];
});
const use = useBank({
  clock: { now: () => system.now() + seconds(ahead_s) },
  onBrowser: ({ method_completion }) => completions.push(method_completion),
});
const statusOf = async (payment: string) => (await attributesOf(use.shop, payment)).status;

/** Enters another card after a refused one. */
async function verifyAgain(visit: Visit, number = asked): Promise<Verifying> {
  await visit.tab.form.locator('#number').fill('');
  await visit.tab.form.locator('#expiry').fill('');
  return verify(visit, number);
}

async function expectRefused(visit: Verifying, code: string): Promise<void> {
  const ending = await visit.ending;
  expect(ending).toMatchObject({ ok: false, type: 'payment_method_failed', detail: { code } });
  expect(await stateOf(use.shop, ending)).toBe('failed');
}

/** Expects the bank's page over the whole window, in a dialog that says why. */
async function expectWholeWindow({ bank, page, tab }: Visit): Promise<void> {
  await bank.getByLabel('Code from your bank').waitFor();
  const { width, height } = page.viewportSize()!;
  expect(await page.locator('#form iframe').boundingBox()).toEqual({ x: 0, y: 0, width, height });
  expect(await tab.form.getByRole('dialog').getAttribute('aria-label')).toBe(
    'Confirmation by your bank',
  );
}

describe('a challenge', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#15 of a late bank resumes in another tab and puts the approved card on the payment', async () => {
    const left = await use.pay(amounts.late);
    await left.bank.getByLabel('Code from your bank').waitFor();
    await left.page.context().close();
    await using again = await use.open(left.payment);
    const { page, payment, tab } = again;
    await enterCode(again.bank, '123456');
    await expect.poll(() => tab.eventNames(), SHORT_TIMEOUT).toContain('payment_method_verified');
    expect(await attributesOf(use.shop, payment)).toMatchObject({
      status: 'ready',
      threeds_status: 'Y',
      threeds_version: '2.2.0',
      eci: '02',
    });
    await use.shop.confirm(payment);
    await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
    expect([new URL(page.url()).pathname, tab.complaints]).toEqual(['/', []]);
  });

  it('#15 that fails, is cancelled or is abandoned refuses the card; an approved one pays the subscription', async () => {
    const id = await use.shop.makeSubscription(amounts.code);
    await using visit = await use.open(id);
    const { bank, page, tab } = visit;
    const { x, y, width } = (await page.locator('#form').boundingBox())!;
    const failing = await verify(visit);
    await expectWholeWindow(visit);
    for (const code of ['1', '2', '3']) await enterCode(bank, code);
    await expectRefused(failing, 'challenge_failed');
    await tab.form.getByText('Your bank could not confirm that it is you.').waitFor();
    const atBank = await verifyAgain(visit);
    await bank.getByRole('button', { name: 'Cancel' }).click();
    await expectRefused(atBank, 'challenge_cancelled');
    const inForm = await verifyAgain(visit);
    await bank.getByLabel('Code from your bank').waitFor();
    await tab.form.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Escape');
    await expectRefused(inForm, 'challenge_cancelled');

    // The page's own time-out ends the challenge at the server, and closes its dialog.
    await tab.fill({ number: asked });
    expect(await tab.verify(ABANDON_MS)).toMatchObject({ ok: false, type: 'payment_timeout' });
    await expect.poll(() => tab.form.getByRole('dialog').count(), SHORT_TIMEOUT).toBe(0);
    const unpaid = await use.shop.fetch('payment_subscriptions', id);
    expect(unpaid.relationships.payment_method?.data ?? null).toBeNull();

    const approved = await verifyAgain(visit);
    await enterCode(bank, '123456');
    expect(await approved.ending).toMatchObject({ ok: true, detail: { payment_subscription: id } });
    expect(await stateOf(use.shop, await approved.ending)).toBe('confirmed');
    await expect
      .poll(() => page.locator('#form').boundingBox(), SHORT_TIMEOUT)
      .toMatchObject({ x, y, width });
    expect(tab.complaints).toEqual([]);
    const { attributes, relationships } = await use.shop.fetch('payment_subscriptions', id);
    expect(attributes.threeds_status).toBe('Y');
    expect(relationships.payment_method?.data).toBeTruthy();
  });

  it('#15 at a bank that hangs can be opened in a tab after a while, and ends at its time-out', async () => {
    await using visit = await use.pay(amounts.hang);
    const bank = await openTab(visit);
    await bank.getByText('This page does not go on by itself.').waitFor();
    ahead_s = CHALLENGE_OVER_S;
    await expectRefused(visit, 'challenge_timeout');
  });
});

describe.concurrent('a challenge that the bank does not ask for', {
  timeout: LONG_TIMEOUT_MS,
}, () => {
  it('#15 with a bank that cannot be reached ends as payment_method_failed', async ({ expect }) => {
    await using visit = await use.pay(amounts.unreachable);
    expect(await visit.ending).toMatchObject({
      ok: false,
      type: 'payment_method_failed',
      detail: { code: 'challenge_unavailable' },
    });
  });

  it('#15 and approved elsewhere needs nothing typed', async ({ expect }) => {
    await using visit = await use.pay(amounts.oob);
    expect((await visit.ending).ok).toBe(true);
  });
});

describe('two tabs of one payment', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#7 have one authentication of the card entered last, and one charge if both confirm', async () => {
    const payment = await use.shop.makePayment(amounts.code);
    await using opened = await use.open(payment);
    await using also = await use.open(payment);
    const first = await verify(opened);
    await first.bank.getByLabel('Code from your bank').waitFor();
    const second = await verify(also);
    await enterCode(second.bank, '123456');
    const [replaced, verified] = await Promise.all([first.ending, second.ending]);
    expect(replaced.detail.code).toBe('challenge_replaced');
    expect(verified.ok).toBe(true);
    expect([await stateOf(use.shop, replaced), await stateOf(use.shop, verified)]).toEqual([
      'failed',
      'confirmed',
    ]);
    const { relationships } = await use.shop.fetch('payment_demands', payment);
    expect(relationships.payment_method?.data?.id).toBe(verified.detail.payment_method);
    const before = await readCounts();
    await Promise.allSettled([1, 2].map(() => use.shop.confirm(payment)));
    await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
    const { authorisations, approved } = await readCounts();
    expect([authorisations, approved]).toEqual([before.authorisations + 1, before.approved + 1]);
  });
});

describe('the bank’s fingerprint of the browser', { timeout: LONG_TIMEOUT_MS }, () => {
  it.each([
    ['done', 'Y', amounts.code],
    ['never over', 'N', amounts.endlessLook],
  ])(
    '#14 that is %s is reported as %s, and no payment waits longer than the limit',
    async (_look, completion, amount) => {
      await using visit = await use.open(await use.shop.makePayment(amount));
      // The bank looks at the browser while the rest of the card is typed.
      await visit.tab.type({ number: trusted });
      expect((await visit.tab.verify()).ok).toBe(true);
      expect(completions).toEqual([completion]);
      expect((await attributesOf(use.shop, visit.payment)).threeds_status).toBe('Y');
    },
  );
});

describe('a hostile page of a bank', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#16 cannot take over the shop, open, download or go back, or impersonate the form', async () => {
    const opened = await use.open(await use.shop.makePayment(amounts.hostile), { own: true });
    // A fingerprint that never starts is reported as U.
    await opened.page.route('**/frame/v1/fingerprint', (route) => route.abort());
    await using visit = await verify(opened);
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
    expect([page.url(), await page.title()]).toEqual([`${use.shop.shop}/`, 'Still here']);
    expect([popups, downloads, dialogs]).toEqual([[], [], []]);
    expect((await tab.eventNames()).filter((name) => /verified|approved/.test(name))).toEqual([]);
    expect((await attributesOf(use.shop, payment)).status).toBe('incomplete');
    await enterCode(bank, '123456');
    expect((await visit.ending).ok).toBe(true);
    expect((await tab.eventNames()).filter((name) => /verified/.test(name)).length).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(completions).toEqual(['U']);
  });
});

/** Follows the form's link to the bank and returns the tab that it opens. */
async function openTab({ page, tab }: Visit): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  await tab.form.getByRole('link', { name: LINK }).click();
  return opening;
}

/** Confirms the payment after the verification, as the shop does. */
async function expectPaid({ payment }: Visit): Promise<void> {
  expect((await attributesOf(use.shop, payment)).threeds_status).toBe('Y');
  await use.shop.confirm(payment);
  await expect.poll(() => statusOf(payment), SHORT_TIMEOUT).toBe('succeeded');
}

describe('a cross-origin isolated shop', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 pays with a challenge in a new tab, which a form opened again resumes', async () => {
    const shop = { shop: use.shop.isolated };
    await using left = await use.pay(amounts.code, asked, shop);
    expect(await left.page.evaluate(() => crossOriginIsolated)).toBe(true);
    const href = (await left.tab.form.getByRole('link', { name: LINK }).getAttribute('href'))!;
    const bank = await openTab(left);
    await bank.getByLabel('Code from your bank').waitFor();
    await using again = await use.open(left.payment, shop);
    await again.tab.form.getByRole('link', { name: LINK }).waitFor();
    await enterCode(bank, '123456');
    await bank.getByText('Thank you. Close this page and go back to the shop.').waitFor();
    expect(await left.ending).toMatchObject({ ok: true, type: 'payment_method_verified' });
    await expect
      .poll(() => again.tab.eventNames(), SHORT_TIMEOUT)
      .toContain('payment_method_verified');
    await expectPaid(left);
    expect(new URL(left.page.url()).pathname).toBe('/isolated');
    expect([...left.tab.complaints, ...again.tab.complaints]).toEqual([]);
    // The first address is used up; the others are modified and forged.
    for (const path of [href, href.replace('.', '.x'), '/threeds/v1/challenge/x.y/tab']) {
      const answered = await bank.goto(`${use.shop.stack.payUrl}${path}`);
      expect([answered?.status(), await bank.locator('form').count()]).toEqual([404, 0]);
    }
  });
});

describe('a bank that forbids frames', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#17 is offered accessibly in a new tab, knows no opener, and can be cancelled in the shop', async () => {
    await using visit = await use.pay(amounts.unframeable);
    const { page, tab, payment } = visit;
    await tab.form.getByRole('link', { name: LINK }).waitFor();
    await tab.form
      .getByText('Your bank asks for this on a page of its own. Come back here when you are done.')
      .waitFor();
    const form = page.frames().find((frame) => frame.url().includes('/pay/'))!;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsIn(form), colorScheme).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
    expect(await form.evaluate(() => document.activeElement?.tagName)).toBe('A');
    const cancelled = await openTab(visit);
    await cancelled.getByLabel('Code from your bank').waitFor();
    expect(await cancelled.evaluate(() => [opener, document.referrer])).toEqual([null, '']);
    await tab.form.getByRole('button', { name: 'Cancel' }).click();
    expect((await visit.ending).detail.code).toBe('challenge_cancelled');
    await enterCode(cancelled, '123456');
    await cancelled.getByText('Thank you.').waitFor();
    expect(await statusOf(payment)).toBe('incomplete');

    const again = await verifyAgain(visit);
    await enterCode(await openTab(again), '123456');
    expect((await again.ending).ok).toBe(true);
    await expectPaid(visit);
    expect(page.url()).toBe(`${use.shop.shop}/`);
  });
});

/** Number of authorisations at the simulated network so far. */
async function readCounts(): Promise<{ authorisations: number; approved: number }> {
  const response = await fetch(`${use.shop.stack.simulatorUrl}${networkPaths.books}`);
  return (await response.json()) as { authorisations: number; approved: number };
}
