import type { Locator } from 'playwright-core';

/** Types into a combobox and selects the option with this name. */
export async function choose(box: Locator, typed: string, name: string): Promise<void> {
  await box.fill(typed);
  await box.page().getByRole('option', { name, exact: true }).click();
}
