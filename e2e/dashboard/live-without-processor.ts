import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DashboardPage, follow, waitUntilSettled } from '../support/dashboard.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';

const languageMenu = (page: Page) => page.locator('header button[popovertarget]').last();

interface Options {
  /** Window of the operator who signed in. Read when a test runs. */
  readonly readDashboard: () => DashboardPage;
  /** Title of a payment link in live mode. */
  readonly linkTitle: string;
}

/** Live mode of a merchant without a processor account: its warnings, and what its pages no longer offer. */
export function describeLiveWithoutProcessor({ readDashboard, linkTitle }: Options): void {
  describe('live mode without a processor', () => {
    const liveUrl = () => readDashboard().sandbox.replace(/sandbox$/, 'live');
    const openLivePage = async (path: string, title: string): Promise<void> => {
      const { page } = readDashboard();
      await follow(page, `${liveUrl()}/${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await waitUntilSettled(page);
    };
    const expectNothingOffered = async (): Promise<void> => {
      const { page } = readDashboard();
      expect(await page.getByText('Active', { exact: true }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^New( payment link|$)/ }).count()).toBe(0);
    };

    it('warns above its pages, and at the mode switch, in the chosen language', async () => {
      const { page, go } = readDashboard();
      // If this test fails, the next page is in the browser's language again.
      onTestFinished(async () => {
        await page.evaluate(() => localStorage.removeItem('florin.language'));
        await page.reload();
      });
      await openLivePage('', 'Florin Demo Shop');
      await page.getByText('once a payment processor is connected').first().waitFor();
      await page.getByRole('note').filter({ hasText: 'Live mode takes no cards' }).waitFor();
      await page.getByText('Live (off)', { exact: true }).waitFor();
      await languageMenu(page).click();
      await page.getByText('Deutsch', { exact: true }).click();
      const warning = page.getByRole('note');
      await warning.filter({ hasText: 'Der Live-Modus nimmt keine Karten an' }).waitFor();
      await page.getByText('Live (aus)', { exact: true }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await page.keyboard.press('Escape');
      // The operator, who signs in here, also gets a link to the processor accounts.
      expect(await warning.getByRole('link').allTextContents()).toEqual([
        'Prozessorkonto verbinden',
        'Sandbox öffnen',
      ]);
      await warning.getByRole('link', { name: 'Sandbox öffnen' }).click();
      await page.waitForURL(readDashboard().sandbox);
      await warning.filter({ hasText: 'Live-Modus' }).waitFor({ state: 'detached' });

      await go('records/payment_demands');
      await page.getByText('Zahlung, vom Anlegen bis zum Ergebnis').waitFor();
      await page.getByRole('button', { name: 'Neu', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Beschreibung des Kaufs in eigenen Worten.').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await go('records/payment_methods');
      await page.getByRole('button', { name: 'Neu', exact: true }).click();
      await dialog.getByText('Steht für die Kartennummer').waitFor();
      // Untranslated text would be marked with its language.
      expect(await dialog.locator('[lang=en]').count()).toBe(0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await languageMenu(page).click();
      await page.getByText('English', { exact: true }).click();
      await page.getByRole('button', { name: 'Refresh' }).waitFor();
      await page.keyboard.press('Escape');
    });

    it.each([
      ['business', 'Business', 'No processor'],
      ['setup', 'Activate live payments', 'Live payments still need a processor account'],
      ['payments', 'Payments', 'Live payments are refused'],
      ['developers/snippet', 'Code sample', 'Live keys take no payment'],
    ])(
      'shows no way to pay at %s, and nothing that looks active',
      async (path, title, noticeText) => {
        const { page } = readDashboard();
        await openLivePage(path, title);
        await page.getByText(noticeText).first().waitFor();
        await expectNothingOffered();
        // Tests of the other pages inspect them in the sandbox.
        if (path === 'setup') await inspectOnPhone(page);
      },
    );

    it('marks links created earlier as not payable', async () => {
      const { page } = readDashboard();
      await openLivePage('payment-links', 'Payment links');
      await page.getByText('No processor').first().waitFor();
      await expectNothingOffered();
      await page.getByRole('link', { name: linkTitle }).click();
      await page.getByText('Live payment links cannot accept payments').waitFor();
      expect(await page.getByText('Active', { exact: true }).count()).toBe(0);
    });
  });
}
