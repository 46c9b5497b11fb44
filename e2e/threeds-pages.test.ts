import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  amounts,
  answer,
  attributesOf,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  trusted,
  useBank,
} from './support/use-bank.ts';

/** Values of threeDSCompInd that the simulated bank received, in order. */
let completions: string[] = [];
beforeEach(() => {
  completions = [];
});
const use = useBank({
  onBrowser: ({ method_completion }) => completions.push(method_completion),
});

describe('the bank’s fingerprint of the browser', { timeout: LONG_TIMEOUT_MS }, () => {
  it.each([
    ['done', 'Y', amounts.code],
    ['slow', 'N', amounts.slowLook],
    ['never over', 'N', amounts.endlessLook],
    ['broken', 'N', amounts.brokenLook],
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

  it('#14 that never started, because the whole card was there at once, is reported as U', async () => {
    const payment = await use.shop.makePayment(amounts.code);
    await using visit = await use.open(payment);
    await visit.page.route('**/frame/v1/fingerprint', (route) => route.abort());
    await visit.tab.fill({ number: trusted });
    expect((await visit.tab.verify()).ok).toBe(true);
    expect(completions).toEqual(['U']);
  });
});

describe('a hostile page of a bank', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#16 cannot take over the shop, open, download or go back, or impersonate the form', async () => {
    await using visit = await use.pay(amounts.hostile);
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
    await answer(bank, '123456');
    expect((await visit.ending).ok).toBe(true);
    expect((await tab.eventNames()).filter((name) => /verified/.test(name)).length).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/');
  });
});
