import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Waits until the element is visible. Fails the test when it is not in time, and counts as an assertion. */
export async function appears(element: Locator): Promise<void> {
  await element.waitFor();
  expect(await element.count(), `${element}`).toBeGreaterThan(0);
}
