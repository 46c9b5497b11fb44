import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the element is visible. Fails the test when it is not in time, and counts as an assertion. */
export async function appears(element: Locator): Promise<void> {
  // A page may draw the element anew at once, so it is not asked for a second time.
  expect(await element.waitFor().then(() => 'visible', String), `${element}`).toBe('visible');
}
