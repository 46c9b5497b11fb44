import type { Page } from 'playwright-core';
import { follow } from './dashboard.ts';

const PASSWORD = 'a mill and a store';

export const waitForHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Opens the link in the newest email to an address, in the test mailbox. */
async function openEmailLink(page: Page, baseUrl: string, email: string): Promise<void> {
  await follow(page, `${baseUrl}/dashboard/mailbox`);
  const emailArticle = page.getByRole('article').filter({ hasText: email }).first();
  await emailArticle.getByRole('link').click();
}

export async function choosePassword(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.locator('input[type=password]').fill(PASSWORD);
  await press(page, 'Continue');
}

/** Registers a person by email and creates a business with this name. */
export async function register(
  page: Page,
  baseUrl: string,
  { email, business }: { readonly email: string; readonly business: string },
): Promise<void> {
  await page.goto(`${baseUrl}/dashboard/register`);
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send email');
  await page.getByText('Check your email').waitFor();
  await openEmailLink(page, baseUrl, email);
  await waitForHeading(page, 'Welcome');
  await choosePassword(page, 'Ada Lovelace');
  await waitForHeading(page, 'Create a business');
  await page.getByLabel('Business name').fill(business);
  await press(page, 'Create');
  await waitForHeading(page, 'Activate live payments');
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByText('Sign out', { exact: true }).click();
  await waitForHeading(page, 'Sign in');
}

export async function signInWithPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await press(page, 'Sign in');
}

/** Fills in the first step of the application. */
export async function enterBusiness(page: Page): Promise<void> {
  await page.getByLabel('Business description').fill('Analytical engines');
  await page.getByLabel('Business website').fill('https://engines.example');
  await page.getByLabel('Phone number').fill('+12125550142');
  await page.getByLabel('Business postal code').fill('10001');
  await press(page, 'Save and continue');
  await page.getByRole('region', { name: 'Legal form' }).waitFor();
}
