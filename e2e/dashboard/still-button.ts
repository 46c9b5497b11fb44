import type { Stack } from '@florin/dev-env/stack.ts';
import { expect, it, onTestFinished } from 'vitest';
import { launchWithScrollBars } from '../support/browser.ts';
import { newWindow, openDashboardIn } from '../support/dashboard.ts';

/** Higher than the page without rows, and lower than the page with them. */
const VIEWPORT = { width: 1_000, height: 740 };

/** The button of a list in a browser whose scroll bars take room. The sandbox has incomplete payments. */
export function describeStillButton(readStack: () => Pick<Stack, 'baseUrl' | 'credentials'>): void {
  it('the button of the list of payments stays where it is while rows load and a dialog opens', async () => {
    const browser = await launchWithScrollBars();
    onTestFinished(() => browser.close());
    const page = await newWindow(browser, { viewport: VIEWPORT });
    const { load } = await openDashboardIn(page, readStack());
    const { promise: measured, resolve: letLoad } = Promise.withResolvers<void>();
    await page.route('**/v2/payment_demands?*', async (route) => {
      await measured;
      await route.continue();
    });
    const isTooHigh = () =>
      page.evaluate(() => document.documentElement.scrollHeight > window.innerHeight);
    const readBox = () => page.getByRole('link', { name: 'New payment' }).boundingBox();
    await load('payments?tab=incomplete&filter[amount_cents][gt]=0');
    expect(await isTooHigh()).toBe(false);
    const boxBefore = await readBox();
    const search = page.getByRole('combobox', { name: 'Search' });
    await page.keyboard.press('Control+k');
    await search.waitFor();
    expect(await readBox()).toEqual(boxBefore);
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'hidden' });
    letLoad();
    await page.locator('tbody tr[data-index]').first().waitFor();
    await expect.poll(isTooHigh).toBe(true);
    expect(await readBox()).toEqual(boxBefore);
    await page.keyboard.press('Control+k');
    await search.waitFor();
    expect(await readBox()).toEqual(boxBefore);
  });
}
