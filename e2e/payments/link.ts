import { describe, expect, it } from 'vitest';
import { expectVisible } from '../support/appears.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import type { PaymentsJourney } from './journey.ts';

/** Payment links of the dashboard. */
export function describePaymentLinks(journey: PaymentsJourney): void {
  describe('a payment link', () => {
    it('is created for a subscription, shown as a QR code, and ended', async () => {
      await journey.dashboard.go('payment-links');
      await journey.button('New payment link').click();
      await journey.button('Create link').click();
      await journey
        .dialog()
        .getByLabel('What do you sell?')
        .and(journey.page.locator(':focus'))
        .waitFor();
      await journey.dialog().getByLabel('What do you sell?').fill('Roses');
      await journey.dialog().getByRole('textbox', { name: 'Amount', exact: true }).fill('25');
      await journey.dialog().getByLabel('The customer pays').selectOption('Every month');
      await journey.dialog().getByLabel('A limited number of times').check();
      await journey.dialog().getByLabel('Maximum number of payments').fill('20');
      await journey.dialog().getByLabel('The link expires').selectOption('In 7 days');
      await journey.dialog().getByText('More options').click();
      await journey.dialog().getByLabel('Page after the payment').fill('example');
      await journey.button('Create link').click();
      await journey
        .dialog()
        .getByLabel('Page after the payment')
        .and(journey.page.locator('[aria-invalid=true]'))
        .waitFor();
      await inspectOnPhone(journey.page, true);
      await journey.dialog().getByLabel('Page after the payment').fill('');
      await journey.button('Create link').click();
      await journey
        .dialog()
        .getByRole('img', { name: `QR code of ${journey.api.stack.payUrl}/l/` })
        .waitFor();
      await inspectOnPhone(journey.page, true);
      const [link] = await journey.payments.list('payment_links', { 'page[size]': '1' });
      expect(link?.attributes).toMatchObject({
        ...{ title: 'Roses', amount_cents: 2500, amount_currency: 'USD', uses_max: 20 },
        billing_period: 'one_month',
      });
      const opened = journey.dialog().getByRole('link', { name: 'Open link' });
      expect(await opened.getAttribute('href')).toBe(link?.attributes.url);
      await journey.dialog().getByRole('link', { name: 'View details' }).click();
      await journey.page
        .getByRole('img', { name: `QR code of ${journey.api.stack.payUrl}/l/` })
        .waitFor();
      await journey.button('Edit').click();
      const amount = journey.dialog().getByRole('textbox', { name: 'Amount', exact: true });
      expect(await amount.inputValue()).toBe('25.00');
      await amount.fill('30');
      await journey.dialog().getByRole('button', { name: 'Save' }).click();
      await journey.dialog().waitFor({ state: 'hidden' });
      const [edited] = await journey.payments.list('payment_links', { 'page[size]': '1' });
      expect(edited?.attributes.amount_cents).toBe(3000);
      await journey.button('Expire link').click();
      await journey.dialog().getByRole('button', { name: 'Expire link' }).click();
      await expectVisible(journey.page.locator('[data-tone]').getByText('Expired').first());
      await journey.dashboard.go('payment-links');
      await journey.rows().first().waitFor();
      await inspectOnPhone(journey.page);
    });
  });
}
