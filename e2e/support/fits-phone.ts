import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails unless the page is no wider than a phone. Then restores a desktop's window. */
export async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 740 });
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}
