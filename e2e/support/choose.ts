import type { Locator } from 'playwright-core';

/** Types into a combobox and selects the option with this name. */
export async function choose(combobox: Locator, text: string, name: string): Promise<void> {
  await combobox.fill(text);
  await combobox.page().getByRole('option', { name, exact: true }).click();
}
