import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the element is visible. A time-out fails the test; success counts as an assertion. */
export async function expectVisible(element: Locator): Promise<void> {
  // Queried once, because a page may replace the element at any time.
  expect(await element.waitFor().then(() => 'visible', String), `${element}`).toBe('visible');
}
