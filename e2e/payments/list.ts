import { beforeAll, describe, expect, it } from 'vitest';
import { makeDemand } from '../../packages/server/tests/support/make.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import { eventually, type PaymentsJourney } from './journey.ts';
import { listActions } from './list-actions.ts';
import { loseResponses } from './lose-responses.ts';

/** The list of payments: tabs, filters, exports and bulk refunds. */
export function describePaymentList(journey: PaymentsJourney): void {
  const { addFilter, check, downloadFile, openTab } = listActions(journey);

  describe('the list of payments', () => {
    beforeAll(() => journey.dashboard.go('payments'));

    it('has tabs with counts, and shows incomplete payments in their tab only', async () => {
      await makeDemand(journey.api.client);
      await journey.dashboard.load('payments');
      await eventually(() => journey.rows().count()).toBe(5);
      await openTab('Incomplete 1');
      await journey.page.waitForURL(/tab=incomplete/);
      await eventually(() => journey.rows().count()).toBe(1);
      await openTab('Refunded 1');
      await journey.rows().getByText('Partly refunded $21.00').waitFor();
      await eventually(() => journey.rows().count()).toBe(1);
      await journey.page.getByText('They are also under “Succeeded” or “Disputed”.').waitFor();
      await openTab('All 5');
      await eventually(() => journey.rows().count()).toBe(5);
    });

    it('is filtered by status, card and amount, and exported as shown', async () => {
      await addFilter('Status', () => check('Succeeded'));
      await eventually(() => journey.rows().count()).toBe(2);
      await journey.button('Remove filter: Status: Succeeded').click();
      await addFilter('Card', () => check('Mastercard'));
      await eventually(() => journey.rows().first().textContent()).toContain('$99.00');
      await journey.page.locator('label', { hasText: 'All 1' }).waitFor();
      await journey.page.locator('label', { hasText: 'Succeeded 0' }).waitFor();
      await journey.button('Remove filter: Card: Mastercard').click();
      await addFilter('Amount', async () => {
        await journey.page.getByLabel('Amount from').fill('42.001');
        await journey.page.getByText('USD allows at most 2 decimal places.').waitFor();
        await journey.page.getByLabel('Amount from').fill('42.00');
        await journey.page.getByLabel('Amount up to').fill('100');
      });
      await journey.button('Remove filter: Amount: $42.00 – $100.00').waitFor();
      await eventually(() => journey.rows().count()).toBe(2);
      await journey.button('Export CSV').click();
      await journey.dialog().getByRole('checkbox', { name: 'Description' }).uncheck();
      const [heads, ...lines] = await downloadFile();
      expect(heads).toMatch(/^\uFEFFCreated \([^)]+\),Reference,Payer,Email,Amount,/);
      expect(lines).toHaveLength(2);
      expect(lines.find((line) => line.endsWith(journey.ids.paid))).toMatch(
        /,roses-1,Ada,ada@example.com,42.00,USD,42.00,21.00,[\d.]+,Partly refunded,Visa,\d{4},/,
      );
      await journey.button('Export CSV').click();
      await journey.dialog().getByText('Raw (API)').click();
      const [rawHeads, ...rawLines] = await downloadFile();
      expect(rawHeads).toMatch(/^\uFEFFid,.*amount_cents/);
      expect(rawLines).toHaveLength(2);
    });

    it('is compared with the days before, and saved as a view', async () => {
      await journey.button('Clear filters').click();
      await addFilter('Date', async () => {
        await journey.page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
        await check('Compare with the period before');
      });
      const comparison = journey.page.getByRole('table', {
        name: /^Approved payments of this list/,
      });
      await comparison.getByText(/^\$\S+ · [34] payments$/).waitFor();
      await journey.page.getByText(/^Today is not over: both periods end at \d/).waitFor();
      await inspectOnPhone(journey.page);
      await journey.button('Views').click();
      await journey.page.getByRole('menuitem', { name: 'Save view' }).click();
      await journey.dialog().getByLabel('Name of the view').fill('This week');
      await journey.page.keyboard.press('Enter');
      await journey.button('Remove filter: Date: Last 7 days').click();
      await comparison.waitFor({ state: 'detached' });
      await journey.button('Views').click();
      await journey.page.getByRole('menuitem', { name: 'This week' }).click();
      await journey.page.waitForURL(/date=last_7/);
      await comparison.waitFor();
    });
  });

  describe('several payments', () => {
    it('are refunded after a dry run, each once though the first response is lost', async () => {
      const ids = [];
      for (const reference of ['bulk-1', 'bulk-2'])
        ids.push(await journey.payments.pay({ amount_cents: 1100, purchase_reference: reference }));
      await journey.dashboard.load('payments');
      const failed = journey.page.getByRole('row', { name: /Failed/ }).getByRole('checkbox');
      await failed.waitFor();
      const place = await failed.boundingBox();
      for (const reference of ['bulk-1', 'bulk-2']) {
        const name = `Payment of \\$11\\.00 by Ada, ${reference}, `;
        await journey.page.getByRole('link', { name: new RegExp(`^${name}`) }).waitFor();
        const box = { name: new RegExp(`^Select: ${name}`) };
        await journey.page.getByRole('checkbox', box).check();
      }
      expect(await failed.boundingBox()).toEqual(place);
      await failed.check();
      await journey.page.getByRole('status').getByText('3 payments selected').waitFor();
      await journey.button('Refund selected').click();
      await journey
        .dialog()
        .getByText('All that is left of 2 payments is refunded: $22.00. 1 cannot be')
        .waitFor();
      await journey.dialog().getByText('Not refunded: nothing was charged').waitFor();
      await journey.dialog().getByText('Florin sends the payer no email about a refund.').waitFor();
      await inspectOnPhone(journey.page, true);
      const refundRoute = await loseResponses(journey.page, '**/v2/refund_demands');
      expect(await journey.button('Refund 2 payments').isDisabled()).toBe(true);
      await journey.dialog().getByLabel('Reason').selectOption('Duplicate charge');
      await journey.dialog().getByLabel('Note (optional)').fill('Billed twice');
      await journey.button('Refund 2 payments').click();
      await journey
        .dialog()
        .getByText('1 refund of $11.00 has no answer yet: it may be on its way.')
        .waitFor();
      await journey.dialog().getByText('1 payment of $11.00 was not refunded.').waitFor();
      await journey.dialog().getByText('Not refunded: too many requests at once.').waitFor();
      await inspectOnPhone(journey.page, true);
      await journey.dialog().getByText('Try again: no payment is refunded twice.').waitFor();
      await journey.page.unroute(refundRoute);
      await journey.button('Try 2 again').click();
      await journey.dialog().getByText('2 refunds of $22.00 together are on their way.').waitFor();
      await journey.dialog().getByText('1 cannot be refunded. The table says why.').waitFor();
      await journey
        .dialog()
        .getByText(/ says when the bank has refunded it, /)
        .waitFor();
      expect(await journey.dialog().getByText('On its way to the payer').count()).toBe(2);
      await journey.dialog().getByRole('button', { name: 'Close', exact: true }).last().click();
      await journey.dialog().waitFor({ state: 'hidden' });
      for (const id of ids)
        expect(
          await journey.payments.list('refund_demands', { 'filter[payment_demand]': id }),
        ).toMatchObject([
          { attributes: { reason: 'duplicate_charge', reason_note: 'Billed twice' } },
        ]);
      await journey.button('Refund selected').waitFor({ state: 'detached' });
      for (const reference of ['bulk-1', 'bulk-2'])
        await journey.page
          .getByRole('row', { name: new RegExp(`Refunded.*${reference}`) })
          .waitFor();
    });
  });
}
