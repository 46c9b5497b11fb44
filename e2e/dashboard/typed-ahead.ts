import { expect, it } from 'vitest';
import type { DashboardPage } from '../support/dashboard.ts';
import { LONG_TIMEOUT_MS } from '../support/use-bank.ts';

/** Keys that a person types while the search dialog opens. */
export function describeTypedAhead(readDashboard: () => DashboardPage): void {
  it('loses no key that is typed when the field of Ctrl-K takes over', async () => {
    const { sandbox, page } = readDashboard();
    const opened = await page.context().newPage();
    const typed = Promise.withResolvers<void>();
    await opened.route(/\/assets\/palette-/, async (route) => {
      await typed.promise;
      await route.continue();
    });
    await opened.goto(`${sandbox}/payment-links`);
    await opened.getByRole('heading', { level: 1, name: 'Payment links' }).waitFor();
    await opened.evaluate(typeWhenReleased, '2');
    await opened.keyboard.press('Control+k');
    await opened.keyboard.type('order-1');
    typed.resolve();
    const field = opened.getByRole('combobox', { name: 'Search' });
    const readText = () => field.inputValue();
    await expect.poll(readText, { timeout: LONG_TIMEOUT_MS }).toBe('order-12');
    await opened.close();
  });
}

/** Runs in the page: types a text at the moment when the page stops collecting keys. */
function typeWhenReleased(text: string): void {
  const removeListener = globalThis.removeEventListener;
  globalThis.removeEventListener = (...args: Parameters<typeof removeListener>) => {
    removeListener.apply(globalThis, args);
    if (args[0] === 'keydown' && args[2] === true) document.execCommand('insertText', false, text);
  };
}
