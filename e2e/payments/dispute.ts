import { describe, expect, it } from 'vitest';
import { waitForFocus } from '../support/keyboard.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import type { RecordReference } from '../support/payment-api.ts';
import type { PaymentsJourney } from './journey.ts';

/** The list and the page of disputes. */
export function describeDisputePage(journey: PaymentsJourney): void {
  /** Fills a text field from a file. */
  async function attach(field: string, name: string, bytes: Uint8Array): Promise<void> {
    const chooser = journey.page.waitForEvent('filechooser');
    await journey.button(`Load from a text file: ${field}`).click();
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(bytes) });
  }

  describe('a dispute', () => {
    it('is answered in time: evidence is saved, and submitted with unsaved input', async () => {
      await journey.dashboard.go('disputes');
      await journey
        .rows()
        .first()
        .getByText(/in \d+ days/)
        .waitFor();
      await journey.rows().first().getByText('Ada').waitFor();
      await inspectOnPhone(journey.page);
      await journey.rows().first().getByRole('link').click();
      await journey.page
        .getByRole('textbox', { name: 'Product description' })
        .fill('A dozen tulips');
      await inspectOnPhone(journey.page);
      await attach('Product description', 'tulips.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
      await journey.page.getByText('This file is not plain text.').waitFor();
      await attach('Shipping documentation', 'parcel.txt', new TextEncoder().encode('Signed for.'));
      await journey.page.getByText('Loaded 11 characters from parcel.txt.').waitFor();
      const choice = journey.page.locator('input[type=file][accept*="application/pdf"]');
      const notes = {
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('Signed for.'),
      };
      await choice.setInputFiles(notes);
      await journey.page.getByText('notes.txt has another type.').waitFor();
      // Otherwise the browser reports no change when the same file is chosen again.
      expect(await choice.inputValue()).toBe('');
      await journey.button('Accept dispute').press('Enter');
      await journey.dialog().getByRole('button', { name: 'Cancel' }).press('Enter');
      await waitForFocus(journey.page, 'Accept dispute');
      await journey.button('Save').press('Enter');
      await journey.page.getByText('Saved.').waitFor();
      const [savedDispute] = await journey.payments.list('disputes', { 'page[size]': '1' });
      expect(savedDispute?.attributes).toMatchObject({
        product_description: 'A dozen tulips',
        shipping_documentation: 'Signed for.',
      });
      // The button is disabled while the request runs, and loses the focus for that time.
      await waitForFocus(journey.page, 'Save');
      await journey.page
        .getByRole('textbox', { name: 'Refund policy' })
        .fill('No refunds of cut flowers.');
      await journey.payments.change(savedDispute as RecordReference, {
        customer_communication: 'They liked them.',
      });
      await journey.button('Submit evidence').click();
      await journey.dialog().getByText('decides about $197.08').waitFor();
      await journey.dialog().getByRole('button', { name: 'Submit evidence' }).click();
      await journey.dialog().getByRole('alert').waitFor();
      await journey.dialog().getByRole('button', { name: 'Cancel' }).click();
      const refundPolicy = journey.page.getByRole('textbox', { name: 'Refund policy' });
      expect(await refundPolicy.inputValue()).toBe('No refunds of cut flowers.');
      await journey.button('Reload').click();
      await journey.page.getByText('They liked them.').first().waitFor();
      await refundPolicy.fill('Cut flowers are not taken back.');
      await journey.button('Submit evidence').click();
      await journey.dialog().getByRole('button', { name: 'Submit evidence' }).click();
      await journey.page.getByText('Evidence submitted.').waitFor();
      await journey.button('Submit evidence').waitFor({ state: 'detached' });
      const [submittedDispute] = await journey.payments.list('disputes', { 'page[size]': '1' });
      expect(submittedDispute?.attributes).toMatchObject({
        refund_policy: 'Cut flowers are not taken back.',
        customer_communication: 'They liked them.',
      });
      await journey.page.getByRole('link', { name: 'View payment' }).click();
      await journey.page.waitForURL(new RegExp(`/payments/${journey.ids.disputed}$`));
      await journey
        .timeline()
        .getByText(/^Dispute of \$197\.08 opened: /)
        .waitFor();
    });

    it('is refunded from its page once it is won, and shows the refund', async () => {
      const [won] = await journey.payments.list('disputes', { 'page[size]': '1' });
      await journey.dashboard.go(`disputes/${won?.id}`);
      await journey.button('Refund').click();
      await journey.dialog().getByText('Florin sends the payer no email about a refund.').waitFor();
      await journey.dialog().getByLabel('Amount to refund').fill('20');
      await journey.dialog().getByLabel('Reason').selectOption('Duplicate charge');
      await journey.button('Refund $20.00').click();
      const refunds = journey.page.getByRole('list', { name: 'Refunds of the payment' });
      await refunds.getByRole('link', { name: 'Refunded $20.00' }).waitFor();
      await inspectOnPhone(journey.page, true);
    });
  });
}
