import type { Stack } from '@florin/dev-env/stack.ts';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { tabTo } from './keyboard.ts';
import { waitForHeading } from './sign-up.ts';

/** Signs in on the sign-in page. */
export async function signInByKeys(
  page: Page,
  { baseUrl, credentials }: Pick<Stack, 'baseUrl' | 'credentials'>,
): Promise<void> {
  const { email, password } = credentials.account;
  await page.goto(`${baseUrl}/dashboard/`);
  await waitForHeading(page, 'Sign in');
  await tabTo(page, 'Email');
  await page.keyboard.type(email);
  await tabTo(page, 'Password');
  await page.keyboard.type(password ?? '');
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Florin Demo Shop');
}

/** Switches to live mode and back with the arrow keys. */
export async function switchModeByKeys(page: Page): Promise<void> {
  await tabTo(page, 'Sandbox');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/\/live$/);
  await tabTo(page, 'Live (off)', 'Shift+Tab');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/\/sandbox$/);
}

/** Finds a payment by its reference and opens it from the list. */
export async function openByKeys(
  page: Page,
  { reference, id }: { readonly reference: string; readonly id: string },
): Promise<void> {
  await tabTo(page, 'Payments', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Payments');
  await tabTo(page, 'Find a payment');
  await page.keyboard.type(reference);
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Searched as:').waitFor();
  await tabTo(page, /^Payment of \$42\.00 by /);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/payments/${id}$`));
}

/** Refunds half of the open payment of 42 dollars, after amounts that the form refuses. */
export async function refundHalfByKeys(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor();
  await tabTo(page, 'Refund');
  await page.keyboard.press('Enter');
  await dialog.getByText('You can refund at most $42.00.').first().waitFor();
  await page.locator('input:focus').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('42.01');
  await page.keyboard.press('Enter');
  expect(await dialog.getByLabel('Amount to refund').getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('1e3');
  await dialog.getByText('Enter an amount.').waitFor();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('21');
  await dialog.getByText('refund the other $21.00 later').waitFor();
  await page.keyboard.press('Enter');
  expect(await dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Cancelled');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByText('The refund is on its way.').waitFor();
  await page
    .getByRole('list', { name: 'Timeline' })
    .getByText(/^Refunded \$21\.00/)
    .waitFor();
  await dialog.waitFor({ state: 'hidden' });
}
