import { expect, it } from 'vitest';
import { expectVisible } from '../support/appears.ts';
import type { DashboardPage } from '../support/dashboard.ts';

/** A first page whose code cannot be downloaded, as behind a broken proxy. */
export function describeFailedDownload(readDashboard: () => DashboardPage): void {
  it('sees a message and the navigation if the code of the first page does not load', async () => {
    const { sandbox, page } = readDashboard();
    const broken = await page.context().newPage();
    await broken.route(/\/assets\/home-/, (route) => route.abort());
    await broken.goto(sandbox);
    await expectVisible(broken.getByRole('heading', { name: 'This page crashed' }));
    await expectVisible(broken.getByRole('link', { name: 'Payments', exact: true }));
    await broken.close();
  });

  it('keeps the page when Ctrl-K does not load, says so, and loads it the next time', async () => {
    const { sandbox, page } = readDashboard();
    const opened = await page.context().newPage();
    // Code and texts of the dialog.
    const files = /\/assets\/palette-/;
    await opened.route(files, (route) => route.abort());
    const preloaded = opened.waitForEvent('requestfailed', (request) => files.test(request.url()));
    await opened.goto(`${sandbox}/payment-links`);
    await opened.getByRole('heading', { level: 1, name: 'Payment links' }).waitFor();
    await opened.evaluate(() => Object.assign(window, { isKept: true }));
    await preloaded;
    await opened.keyboard.press('Control+k');
    await expectVisible(opened.getByText('Search could not load.'));
    await opened.unroute(files);
    await opened.keyboard.press('Control+k');
    await expectVisible(opened.getByRole('option', { name: 'New customer' }));
    expect(await opened.evaluate(() => 'isKept' in window)).toBe(true);
    await opened.close();
  });
}
