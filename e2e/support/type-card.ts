import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Where a person types: a page, and the frame of its card form. */
interface Typing {
  readonly page: Page;
  readonly form: FrameLocator;
}

/** Above the number of Tab stops before a form. */
const STOPS_MAX = 20;

/** Types a card by keyboard alone. A complete number or date moves the focus by itself. */
export async function typeCard(
  { page, form }: Typing,
  { number, cvv }: { readonly number: string; readonly cvv: string },
): Promise<void> {
  await tabIntoFrame(page);
  for (const [field, text] of Object.entries({ number, expiry: '1239', cvv })) {
    // The focus crosses into the frame's process; earlier keystrokes are lost.
    await form.locator(`#${field}:focus`).waitFor();
    await page.keyboard.type(text);
  }
}

async function tabIntoFrame(page: Page): Promise<void> {
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.tagName === 'IFRAME')) return;
  }
  throw new Error(`The Tab key comes to no frame in ${STOPS_MAX} stops`);
}

/** Types the code on the bank's page, which has the focus as soon as it is shown. */
export async function typeCode({ page, form }: Typing, code: string): Promise<void> {
  const bank = form.frameLocator('dialog iframe');
  await bank.getByLabel('Code from your bank').waitFor();
  const focusedTag = () =>
    form.locator('body').evaluate((body) => body.ownerDocument.activeElement?.tagName);
  await expect.poll(focusedTag).toBe('IFRAME');
  await page.keyboard.press('Tab');
  await bank.locator('input:focus').waitFor();
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}
