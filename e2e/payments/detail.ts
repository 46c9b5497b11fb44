import { openDatabase } from '@florin/server/platform/database/db.ts';
import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectVisible } from '../support/appears.ts';
import { waitUntilSettled } from '../support/dashboard.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import { eventually, type PaymentsJourney } from './journey.ts';
import { loseResponses } from './lose-responses.ts';

/** The page of a payment, and its actions. */
export function describePaymentPage(journey: PaymentsJourney): void {
  describe('a payment', () => {
    it('needs three requests, tells its story, and shows technical details on request', async () => {
      const requestedPaths: string[] = [];
      const recordRequest = (request: Request) => {
        if (/\/v2\/|\/payments\//.test(request.url()) && request.resourceType() === 'fetch')
          requestedPaths.push(new URL(request.url()).pathname);
      };
      journey.page.on('request', recordRequest);
      await journey.dashboard.go(`payments/${journey.ids.held}`);
      await journey
        .timeline()
        .getByText(/^Held \$99\.00 on Mastercard •••• \d{4}$/)
        .waitFor();
      await journey.page.getByRole('link', { name: /^Mastercard •••• / }).waitFor();
      await waitUntilSettled(journey.page);
      expect(requestedPaths.toSorted()).toEqual([
        `/dashboard/api/payments/${journey.ids.held}/actors`,
        `/dashboard/api/payments/${journey.ids.held}/notes`,
        `/v2/payment_demands/${journey.ids.held}`,
      ]);
      journey.page.off('request', recordRequest);
      await journey.dashboard.go(`payments/${journey.ids.paid}`);
      const items = journey.page.getByRole('table', { name: 'Line items' });
      await items.getByRole('row', { name: 'Roses R-12 2 $13.00 $0.00 $26.00' }).waitFor();
      await items.getByRole('row', { name: 'Vase R-12 1 $13.00 -$1.00 $12.00' }).waitFor();
      await journey
        .timeline()
        .getByText(/^Paid \$42\.00 by Visa •••• \d{4}$/)
        .waitFor();
      await journey
        .timeline()
        .getByText(/^Refunded \$21\.00 by .+: cancelled by customer$/)
        .waitFor();
      await journey.page.getByText('Technical details').click();
      const detailTexts = [
        'Ledger: Captured',
        'Ledger: Fee',
        'Payment succeeded',
        'transaction.payment_demands.succeeded',
      ];
      const records = journey.page.getByRole('list', { name: 'Records in order of time' });
      for (const text of detailTexts) await records.getByText(text).waitFor();
      await inspectOnPhone(journey.page);
      await journey.dashboard.go(`payments/${journey.ids.failed}`);
      await journey.timeline().getByText('Declined: insufficient funds').waitFor();
      await journey.page.getByRole('alert').getByText('Declined: insufficient funds').waitFor();
      await expectVisible(journey.button('Retry'));
      await inspectOnPhone(journey.page, true);
    });

    it('gets a note with a mention, which its author deletes', async () => {
      await journey.dashboard.go(`payments/${journey.ids.paid}`);
      await journey.page.getByLabel('Mention a colleague').selectOption({ index: 1 });
      const note = journey.page.getByLabel('Note for colleagues');
      expect(await note.inputValue()).toMatch(/^ ?@\S.* $/);
      await note.fill(`${await note.inputValue()}please call the payer`);
      await journey.button('Add note').click();
      await journey
        .timeline()
        .getByText(/@.* please call the payer$/)
        .waitFor();
      await eventually(() => note.inputValue()).toBe('');
      await inspectOnPhone(journey.page, true);
      await journey.timeline().getByRole('button', { name: 'Delete note' }).click();
      await journey.dialog().getByRole('button', { name: 'Delete note' }).click();
      await journey
        .timeline()
        .getByText(/please call the payer$/)
        .waitFor({ state: 'detached' });
    });

    it('sends its receipt again, to the address that the dialog names', async () => {
      await journey.dashboard.go(`payments/${journey.ids.paid}`);
      await journey.button('Resend receipt').click();
      await journey.dialog().getByText('Sends the receipt to ada@example.com again.').waitFor();
      await journey.dialog().getByRole('button', { name: 'Resend receipt' }).click();
      await expectVisible(journey.page.getByText('Receipt sent to ada@example.com.'));
      await expectVisible(journey.timeline().getByText(/^Receipt sent again by \S/));
    });

    it('is refunded once if the response was lost, the retry refused, and the form is sent again', async () => {
      await journey.dashboard.go(`payments/${journey.ids.paid}`);
      const refundRoute = await loseResponses(journey.page, '**/v2/refund_demands');
      const refund = async () => {
        await journey.button('Refund').click();
        await journey.dialog().getByLabel('Amount to refund').fill('10');
        await journey.dialog().getByLabel('Reason').selectOption('Duplicate charge');
        await journey.button('Refund $10.00').click();
      };
      await refund();
      await journey.dialog().getByRole('alert').waitFor();
      await journey.page.keyboard.press('Escape');
      await journey.dialog().waitFor({ state: 'hidden' });
      await journey.page.unroute(refundRoute);
      await refund();
      await journey.page.getByText('The refund is on its way.').last().waitFor();
      await journey.dialog().waitFor({ state: 'hidden' });
      expect(
        await journey.payments.count('refund_demands', {
          'filter[payment_demand]': journey.ids.paid,
        }),
      ).toBe(2);
    });

    it('is not offered a second capture where its account takes one', async () => {
      await using db = openDatabase({ url: journey.api.stack.databaseUrl, connections_max: 1 });
      const setSeveralCaptures = (value: boolean | null) =>
        db.query(
          `update processor_details set several_captures = $2
           where merchant_id = (select merchant_id from payment_demands where id = $1)`,
          [journey.ids.held, value],
        );
      await setSeveralCaptures(false);
      await journey.dashboard.load(`payments/${journey.ids.held}`);
      await journey.button('Capture').click();
      await journey.dialog().getByLabel('Amount to capture').fill('50');
      await journey.dialog().getByText('releases the other $49.00').waitFor();
      expect(await journey.dialog().getByLabel('This is the last capture').count()).toBe(0);
      await journey.page.keyboard.press('Escape');
      await setSeveralCaptures(null);
      await journey.dashboard.load(`payments/${journey.ids.held}`);
    });

    it('is captured in two parts while held', async () => {
      await journey.dashboard.go(`payments/${journey.ids.held}`);
      await journey.button('Capture').click();
      await journey.dialog().getByLabel('Amount to capture').fill('50');
      await journey.dialog().getByText('releases the other $49.00').waitFor();
      await journey.dialog().getByLabel('This is the last capture').uncheck();
      await journey.dialog().getByText('The other $49.00 stay on hold').waitFor();
      await journey.button('Capture $50.00').click();
      await journey.dialog().waitFor({ state: 'hidden' });
      await journey.page.getByText('not the last one').waitFor();
      await journey.button('Void authorisation').click();
      await journey.dialog().getByText('Releases the remaining hold of $49.00').waitFor();
      await journey.page.keyboard.press('Escape');
      await journey.button('Capture').click();
      await journey.dialog().getByText('You can capture at most $49.00.').first().waitFor();
      await journey.dialog().getByLabel('Amount to capture').fill('40');
      await journey.dialog().getByText('releases the other $9.00').waitFor();
      await journey.button('Capture $40.00').click();
      await expectVisible(
        journey.page.locator('[data-tone]').getByText('Captured $90.00 of $99.00').first(),
      );
    });

    it('says how often the processor was asked for an outcome that is not known', async () => {
      const metadata = { simulate: 'late_approval' };
      const id = await journey.payments.start({ amount_cents: 1234, metadata });
      await journey.dashboard.go(`payments/${id}`);
      const unknown = journey.page.getByRole('alert').filter({ hasText: 'Outcome unknown' });
      await unknown.getByText(/^Florin has asked the processor \S+( times)?,.* at .+\d/).waitFor();
      await inspectOnPhone(journey.page, true);
    });
  });
}
