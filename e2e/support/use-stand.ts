import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeWindows, sharedBrowser } from './browser.ts';
import { type CheckoutOptions, type CheckoutPage, openCheckout } from './checkout-page.ts';
import { createFormStand, type FormStand } from './form-stand.ts';

/** A browser and the form's server for the tests of a file. Pages are closed after each test. */
export interface UsedStand {
  readonly browser: Browser;
  readonly stand: FormStand;
  open(options?: CheckoutOptions): Promise<CheckoutPage>;
}

export function useStand(): UsedStand {
  let browser: Browser;
  let stand: FormStand;
  beforeAll(async () => {
    [browser, stand] = await Promise.all([sharedBrowser(), createFormStand()]);
  });
  beforeEach(() => stand.reset());
  afterEach(() => closeWindows(browser));
  afterAll(async () => {
    await closeWindows(browser);
    await stand[Symbol.asyncDispose]();
  });
  return {
    get browser() {
      return browser;
    },
    get stand() {
      return stand;
    },
    open: (options) => openCheckout(browser, stand, options),
  };
}
