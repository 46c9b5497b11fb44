import { describe, expect, it } from 'vitest';
import { expectVisible } from '../support/appears.ts';
import { waitForFocus } from '../support/keyboard.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import type { PaymentsJourney } from './journey.ts';

/** The page of a subscription, and its actions. */
export function describeSubscriptionPage(journey: PaymentsJourney): void {
  describe('a subscription', () => {
    it('is changed at the previewed price', async () => {
      await journey.dashboard.go(`subscriptions/${journey.ids.subscription}`);
      await journey.button('Change plan').click();
      await journey.dialog().getByText('Choose another amount').waitFor();
      await journey.dialog().getByLabel('Amount per period').fill('40');
      await journey.button('Preview cost').click();
      const cost = journey.dialog().getByText('Charged now').locator('xpath=following-sibling::*');
      const previewedPrice = await cost.textContent();
      expect(previewedPrice).toMatch(/^\$1[45]\.\d\d$/);
      const filters = {
        'filter[payment_subscription]': journey.ids.subscription,
        sort: '-created_at',
      };
      expect(await journey.payments.count('payment_demands', filters)).toBe(1);
      await journey.button('Confirm change').click();
      await journey.page.getByText('Change plan: done.').waitFor();
      const [charge] = await journey.payments.list('payment_demands', filters);
      const { amount_cents, billing_reason } = charge?.attributes ?? {};
      expect([`$${Number(amount_cents) / 100}`, billing_reason]).toEqual([
        previewedPrice?.replace(/\.?0+$/, ''),
        'change',
      ]);
      await journey.page.getByText('$40.00 · One month').waitFor();
      const changes = journey.page.getByRole('region', { name: 'Changes', exact: true });
      await changes.getByText('$40.00').first().waitFor();
      // The preview is no change.
      expect(await changes.locator('tbody tr[data-index]').count()).toBe(1);
      await changes.getByRole('link').first().click();
      // The table of the subscription has a column of the same name.
      await journey.page.locator('dt').getByText('Next amount').waitFor();
      await expectVisible(journey.page.locator('dd').getByText('$40.00').first());
      await journey.dashboard.go(`subscriptions/${journey.ids.subscription}`);
    });

    it("is paused, resumed, and cancelled at the period's end", async () => {
      const heading = await journey.page.getByRole('heading', { level: 1 }).textContent();
      await journey.button('Pause').press('Enter');
      await journey.dialog().getByText('Stops all charges and retries').waitFor();
      await journey.page.keyboard.press('Escape');
      await waitForFocus(journey.page, 'Pause');
      await journey.page.keyboard.press('Enter');
      await journey.dialog().getByRole('button', { name: 'Pause' }).press('Enter');
      await journey.button('Resume').waitFor();
      await waitForFocus(journey.page, heading ?? '');
      await journey.button('Resume').click();
      await journey.dialog().getByRole('button', { name: 'Resume' }).click();
      await journey.button('Cancel subscription').click();
      await journey.dialog().getByRole('button', { name: 'Cancel subscription' }).click();
      await journey.page.getByText('Ends with the current period').waitFor();
      await inspectOnPhone(journey.page);
      await journey.button('Create customer link').click();
      await journey.button('Create link').click();
      await journey.dialog().getByText(`${journey.api.stack.payUrl}/s/`).waitFor();
      await journey.page.keyboard.press('Escape');
      await journey.dialog().waitFor({ state: 'hidden' });
    });
  });
}
