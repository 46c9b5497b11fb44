import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsIn } from './axe.ts';
import { waitUntilPainted, waitUntilSettled } from './dashboard.ts';
import { findNameProblems } from './names.ts';

const PHONE = { width: 375, height: 740 };

/**
 * Waits until the page is loaded. Fails if axe finds a problem at the width of a phone, if names are missing or the same,
 * or if the page is wider.
 */
export async function inspectOnPhone(page: Page, isAlsoDark = false): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize(PHONE);
  await waitUntilSettled(page);
  expect(await violationsIn(page.mainFrame())).toEqual([]);
  expect(await findNameProblems(page)).toEqual([]);
  await expect.poll(() => page.evaluate(measureOverflow)).toBeLessThanOrEqual(0);
  if (isAlsoDark) await inspectInDark(page);
  if (size) await page.setViewportSize(size);
}

/** Runs in the page. Returns the pixels by which the page is wider than its window. */
const measureOverflow = (): number => document.documentElement.scrollWidth - window.innerWidth;

/** The dark theme changes colours only, so only the contrast is inspected. */
async function inspectInDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await waitUntilPainted(page);
  expect(await violationsIn(page.mainFrame(), ['color-contrast'])).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html[data-mantine-color-scheme=light]').waitFor();
}
