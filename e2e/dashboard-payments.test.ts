import { describe, expect, it } from 'vitest';
import { describePaymentPage } from './payments/detail.ts';
import { describeDisputePage } from './payments/dispute.ts';
import { usePaymentsJourney } from './payments/journey.ts';
import { describePaymentLinks } from './payments/link.ts';
import { describePaymentList } from './payments/list.ts';
import { describeOtherPages } from './payments/pages.ts';
import { describePaymentSearch } from './payments/search.ts';
import { describeSubscriptionPage } from './payments/subscription.ts';
import { tabTo } from './support/keyboard.ts';
import { openByKeys, refundHalfByKeys, switchModeByKeys } from './support/refund-by-keys.ts';

const journey = usePaymentsJourney();

describe('the keyboard alone', () => {
  it('switches the mode, finds a payment and refunds half of it, only once if the form is sent again', async () => {
    const { page, dashboard, payments, dialog, ids } = journey;
    await dashboard.go('');
    await switchModeByKeys(page);
    await openByKeys(page, { reference: 'roses-1', id: ids.paid });
    await refundHalfByKeys(page);
    expect(await payments.count('refund_demands', { 'filter[payment_demand]': ids.paid })).toBe(1);
    await tabTo(page, 'Refund', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await dialog().getByText('You can refund at most $21.00.').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
  });
});

describePaymentList(journey);
describePaymentSearch(journey);
describePaymentPage(journey);
describeSubscriptionPage(journey);
describeDisputePage(journey);
describePaymentLinks(journey);
describeOtherPages(journey);

it('the account menu leads to the documentation of this installation', async () => {
  const { page, dashboard } = journey;
  await dashboard.go('payments');
  await page.getByRole('button', { name: /^Account: / }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Documentation' }).click();
  expect(new URL((await opened).url()).pathname).toBe('/docs');
  await (await opened).close();
});

it('a session ends by keyboard alone, without an error in the console', async () => {
  const { page, dashboard } = journey;
  await dashboard.go('payments');
  await tabTo(page, /^Account: /, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(dashboard.consoleErrors).toEqual([]);
});
