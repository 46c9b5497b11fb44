import { it } from 'vitest';
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
}
