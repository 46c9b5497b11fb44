import { readFileSync } from 'node:fs';
import type { PaymentsJourney } from './journey.ts';

/** Actions of a member in the list of payments. */
export function listActions(journey: PaymentsJourney) {
  /** The circle of a radio button is hidden; people click its text. */
  const openTab = (name: string) => journey.page.locator('label', { hasText: name }).click();
  const check = (name: string) => journey.page.getByRole('checkbox', { name, exact: true }).check();

  /** Searches by pressing Enter. */
  async function search(text: string): Promise<void> {
    await journey.page.getByLabel('Find a payment').fill(text);
    await journey.page.getByLabel('Find a payment').press('Enter');
  }

  /** Opens the form of a filter, fills it in and applies it. */
  async function addFilter(name: string, fill: () => Promise<void>): Promise<void> {
    const filters = journey.page.getByRole('region', { name: 'Filters' });
    await filters.getByRole('button', { name, exact: true }).click();
    await fill();
    await journey.button('Apply').click();
  }

  /** Downloads the file that the dialog offers. Returns its lines. */
  async function downloadFile(): Promise<readonly string[]> {
    const download = journey.page.waitForEvent('download');
    await journey.dialog().getByRole('link', { name: 'Download' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    await journey.dialog().waitFor({ state: 'hidden' });
    return file.trimEnd().split('\r\n');
  }

  return { openTab, check, search, addFilter, downloadFile };
}
