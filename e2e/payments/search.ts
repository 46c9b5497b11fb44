import { beforeAll, describe, expect, it } from 'vitest';
import { expectVisible } from '../support/appears.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import { eventually, type PaymentsJourney } from './journey.ts';
import { listActions } from './list-actions.ts';

/** A search of payments, alone and with filters, tabs, periods, views, exports and refunds. */
export function describePaymentSearch(journey: PaymentsJourney): void {
  const { addFilter, check, downloadFile, openTab, search } = listActions(journey);
  const searchedAs = (text: string) => journey.page.getByRole('status').getByText(text);
  const count = (name: string) => journey.page.locator('label', { hasText: name }).waitFor();

  describe('a search of payments', () => {
    beforeAll(() => journey.dashboard.go('payments'));

    const field = () => journey.page.getByLabel('Find a payment');

    it('follows the typing, keeps the caret and one entry of the history, and announces the count', async () => {
      const entries = () => journey.page.evaluate(() => history.length);
      const before = await entries();
      await field().pressSequentially('race@example');
      await eventually(() => journey.rows().count()).toBe(1);
      await field().press('Home');
      await field().press('g');
      await journey.page.waitForURL(/[?&]q=grace%40example/);
      await eventually(() => journey.rows().count()).toBe(1);
      await journey.page.getByRole('status').getByText('1 row', { exact: true }).waitFor();
      expect(
        await field().evaluate((input: HTMLInputElement) => [
          input.value,
          input.selectionStart,
          input === document.activeElement,
        ]),
      ).toEqual(['grace@example', 1, true]);
      expect(await entries()).toBe(before);
      await journey.button('Clear search').click();
      await eventually(() => field().evaluate((one) => one === document.activeElement)).toBe(true);
      await eventually(() => journey.rows().count()).toBeGreaterThan(1);
    });

    it('cancels the request of an earlier text', async () => {
      const earlier = '**/dashboard/api/payments?*q=Grac*';
      const cancelled = journey.page.waitForEvent(
        'requestfailed',
        (request) => request.url().includes('q=Grac&') || request.url().endsWith('q=Grac'),
      );
      const sent = journey.page.waitForRequest(earlier);
      await journey.page.route(earlier, (route) =>
        route.request().url().includes('Grace') ? route.fallback() : undefined,
      );
      await field().pressSequentially('Grac');
      await sent;
      await field().pressSequentially('e@');
      expect((await cancelled).failure()?.errorText).toContain('ERR_ABORTED');
      await eventually(() => journey.rows().count()).toBe(1);
      await journey.page.unroute(earlier);
    });

    it('of a short text waits for Enter, and says so', async () => {
      await field().fill('42');
      await expectVisible(journey.page.getByText('Type at least 3 characters, or press Enter.'));
      await eventually(() => journey.rows().count()).toBeGreaterThan(1);
      await inspectOnPhone(journey.page, true);
      await field().press('Enter');
      await journey.page.waitForURL(/[?&]q=42/);
      await searchedAs('amount').waitFor();
    });

    it.each([
      ['its id', () => journey.ids.paid, 'Searched as: id, part of a name or email, reference.'],
      ['the email of its payer', () => 'Grace@example.com', 'part of a name or email, reference.'],
      ['the last four digits of its card', () => '1111', 'last four digits, amount, reference.'],
      ['what no payment has', () => 'peonies', 'part of a name or email, reference.'],
      ['its amount', () => '$42.00', 'part of a name or email, amount, reference.'],
      ['a part of its payer’s email', () => 'race@exam', 'part of a name or email, reference.'],
    ])('finds a payment by %s, and names the kind of search', async (what, text, kinds) => {
      await search(text());
      await searchedAs(kinds).waitFor();
      await eventually(() => journey.rows().count()).toBe(what.startsWith('what no') ? 0 : 1);
    });

    it('counts what it finds in the tabs, which show their part of it', async () => {
      await search('ada@example.com');
      await openTab('Refunded 3');
      await eventually(() => journey.rows().count()).toBe(3);
      await count('Failed 0');
      await openTab('Succeeded');
      await count('Incomplete 0');
      await journey.button('Clear search').click();
      await openTab('All 7');
    });

    it('says that more payments may match if the server could not compare all', async () => {
      const lists = '**/dashboard/api/payments?*';
      await journey.page.route(lists, async (route) => {
        const document = await (await route.fetch()).json();
        document.meta.search.is_complete = false;
        await route.fulfill({ json: document });
      });
      await search('ace@exampl');
      await expectVisible(searchedAs('More payments may match. Type more of the text'));
      await journey.page.unroute(lists);
    });

    it('goes with filters, a period and its comparison', async () => {
      await search('ada@example.com');
      await addFilter('Date', async () => {
        await journey.page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
        await check('Compare with the period before');
      });
      await eventually(() => journey.rows().count()).toBe(6);
      const comparison = journey.page.getByRole('table', { name: /^Approved payments of this/ });
      await comparison.getByText(/^\$\S+ · 6 payments$/).waitFor();
      await addFilter('Card', () => check('Mastercard'));
      await comparison.getByText('$0.00 · 1 payment', { exact: true }).waitFor();
      await eventually(() => journey.rows().allTextContents()).toEqual([
        expect.stringContaining('$99.00'),
      ]);
      await count('All 1');
      await count('Succeeded 0');
      await inspectOnPhone(journey.page, true);
      await journey.button('Remove filter: Card: Mastercard').click();
      await eventually(() => journey.rows().count()).toBe(6);
    });

    it('is exported and refunded together with the filters, as the titles say', async () => {
      await openTab('Refunded 3');
      await eventually(() => journey.rows().count()).toBe(3);
      await journey.button('Export CSV').click();
      const listed = '“ada@example.com”, Refunded, 1 filter';
      await journey.page.getByRole('dialog', { name: `Export payments: ${listed}` }).waitFor();
      const [, ...lines] = await downloadFile();
      expect(lines).toHaveLength(3);
      await journey
        .rows()
        .first()
        .getByRole('checkbox', { name: /^Select: Payment of / })
        .check();
      await journey.button('Refund selected').click();
      const title = `Refund 1 selected payment of: ${listed}`;
      await journey.page.getByRole('dialog', { name: title }).waitFor();
      await journey.page.keyboard.press('Escape');
      await journey.dialog().waitFor({ state: 'hidden' });
    });

    it('is saved in a view with its filters', async () => {
      const text = () => journey.page.getByLabel('Find a payment').inputValue();
      const remove = journey.button('Remove filter: Date: Last 7 days');
      await journey.dashboard.go('payments?q=ada%40example.com&tab=refunded&date=last_7');
      await journey.button('Views').click();
      await journey.page.getByRole('menuitem', { name: 'Save view' }).click();
      await journey.dialog().getByLabel('Name of the view').fill('Refunds of Ada');
      await journey.page.keyboard.press('Enter');
      await journey.button('Clear search').click();
      await remove.click();
      await eventually(text).toBe('');
      await journey.button('Views').click();
      await journey.page.getByRole('menuitem', { name: 'Refunds of Ada' }).click();
      await remove.waitFor();
      await eventually(text).toBe('ada@example.com');
    });
  });
}
