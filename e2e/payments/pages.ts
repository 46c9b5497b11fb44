import { describe, expect, it } from 'vitest';
import { addSettledDay } from '../../packages/server/tests/support/settled-day.ts';
import { expectVisible } from '../support/appears.ts';
import { inspectOnPhone } from '../support/passes-on-phone.ts';
import type { RecordReference } from '../support/payment-api.ts';
import type { PaymentsJourney } from './journey.ts';

/** Pages that no other journey visits. */
export function describeOtherPages(journey: PaymentsJourney): void {
  describe('a page that no other test visits', () => {
    const readCustomerId = async () =>
      (await journey.payments.list('customers', { 'page[size]': '1' }))[0]?.id;

    const makePayoutId = async () => {
      await addSettledDay(
        journey.api.fixtures,
        (await journey.api.fixtures.getDemoMerchant()).id,
        journey.ids.paid,
      );
      return (await journey.payments.list('payouts', { 'page[size]': '1' }))[0]?.id;
    };

    it.each<[string, () => string | Promise<string>]>([
      ['the subscriptions', () => 'subscriptions'],
      ['the balance', () => 'balance'],
      ['the ledger', () => 'balance/ledger'],
      ['the business', () => 'business'],
      ['the rules', () => 'risk'],
      ['a customer', async () => `records/customers/${await readCustomerId()}`],
      ['a payout', async () => `records/payouts/${await makePayoutId()}`],
    ])('passes axe on a phone: %s', async (_what, path) => {
      await journey.dashboard.go(await path());
      await inspectOnPhone(journey.page);
    });

    it('shows all columns of long payments in a window of 1280 pixels', async () => {
      const { page, payments, dashboard } = journey;
      const id = await payments.pay({
        ...{ amount_cents: 134_950, capture_method: 'manual', card: 'mastercard' },
        ...{ email: 'long@example.com', purchase_reference: 'INV-2026-000123-fourth-quarter' },
      });
      const held = { id, type: 'payment_demands' };
      const amount = { amount_cents: 124_900, amount_currency: 'USD' };
      await payments.make('capture_demands', amount, { payment_demand: held });
      const [payer] = await payments.list('customers', { 'filter[email]': 'long@example.com' });
      await payments.change(payer as RecordReference, { name: 'Magdalena von Hohenstein' });
      const size = page.viewportSize();
      await page.setViewportSize({ width: 1280, height: 800 });
      await dashboard.load('payments');
      await page.getByText('Partly captured $1,249.00').waitFor();
      await page.getByRole('cell', { name: 'Magdalena von Hohenstein', exact: true }).waitFor();
      const region = page.locator('main div:has(> table)');
      expect(await region.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
      if (size) await page.setViewportSize(size);
    });

    it('takes the brand colour from a picker', async () => {
      await journey.dashboard.go('business?part=brand');
      await journey.button('Edit brand').click();
      const colour = journey.dialog().getByLabel('Brand colour', { exact: true });
      await colour.fill('#12');
      await journey.dialog().getByLabel('Choose a colour: Brand colour').fill('#1a6b4a');
      expect(await colour.inputValue()).toBe('#1a6b4a');
      await inspectOnPhone(journey.page, true);
      await journey.dialog().getByRole('button', { name: 'Save' }).click();
      await expectVisible(journey.page.getByText('#1a6b4a'));
    });

    it('sums the fees of a period in the ledger', async () => {
      await journey.dashboard.go('balance/ledger?account=fees');
      await journey.button('Date').click();
      await journey.page.getByLabel('Period', { exact: true }).selectOption('Last 7 days');
      await journey.button('Apply').click();
      await journey.page.waitForURL(/date=last_7/);
      await expectVisible(journey.page.getByText(/^Total of the period: \$\S+$/));
      await inspectOnPhone(journey.page, true);
    });

    it('compares the week up to yesterday with the week before at home', async () => {
      const overviews = '**/dashboard/api/overview?days=*';
      const week = journey.page.getByRole('table', {
        name: /^Approved payments of the week up to/,
      });
      // The payments of today, as the page shows them tomorrow.
      await journey.page.route(overviews, async (route) => {
        const overview = await (await route.fetch()).json();
        const tomorrow = new Date(Date.parse(overview.to) + 86_400_000).toISOString().slice(0, 10);
        await route.fulfill({ json: { ...overview, to: tomorrow } });
      });
      await journey.dashboard.load('');
      await expectVisible(week.getByText(/^\$\S+ · [1-9]\d* payments$/));
      await inspectOnPhone(journey.page, true);
      await journey.page.unroute(overviews);
    });

    it('says at home that the period before has no payments, and how much a bar stands for', async () => {
      await journey.dashboard.load('');
      await expectVisible(journey.page.getByText('No data for the previous period').first());
      const bars = journey.page.getByRole('img', { name: 'Volume by day' }).locator('rect title');
      await expect
        .poll(() => bars.allTextContents())
        .toContainEqual(expect.stringMatching(/: \$[1-9]/));
    });

    it('shows what a payout pays, and when the next one follows', async () => {
      await journey.dashboard.go(
        `records/payouts/${(await journey.payments.list('payouts', {}))[0]?.id}`,
      );
      const lines = journey.page.getByRole('table', { name: 'What this payout pays' });
      await expectVisible(lines.getByRole('row', { name: /^Total of the payout .* \$1\.00$/ }));
      await journey.dashboard.go('balance');
      await expectVisible(journey.page.getByText(/^(?:Next payout: |The next payout waits )/));
    });
  });
}
