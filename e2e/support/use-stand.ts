import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeWindows, sharedBrowser } from './browser.ts';
import {
  type CheckoutOptions,
  type CheckoutPage,
  type MountOptions,
  openCheckout,
  reopenCheckout,
} from './checkout-page.ts';
import { createFormStand, type FormStand } from './form-stand.ts';

/** A browser and the form's server for the tests of a file. */
export interface UsedStand {
  readonly browser: Browser;
  readonly stand: FormStand;
  /** Opens a tab of its own, which is closed after the test. For tests that change the shop's page. */
  open(options?: CheckoutOptions): Promise<CheckoutPage>;
  /** Mounts a new form in the tab that the tests of the file share. For tests that only use the form. */
  reopen(options?: MountOptions): Promise<CheckoutPage>;
}

/** High enough for every form, so that no test has to scroll. */
const SHARED_CONTEXT = { locale: 'en-US', viewport: { width: 800, height: 1_000 } };

export function useStand(): UsedStand {
  let browser: Browser;
  let stand: FormStand;
  let sharedPage: CheckoutPage | undefined;
  beforeAll(async () => {
    [browser, stand] = await Promise.all([sharedBrowser(), createFormStand()]);
  });
  beforeEach(() => stand.reset());
  afterEach(() => closeWindows(browser, sharedPage?.page.context()));
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
    async reopen(options) {
      if (sharedPage && !sharedPage.page.isClosed()) await reopenCheckout(sharedPage, options);
      else sharedPage = await openCheckout(browser, stand, { ...options, context: SHARED_CONTEXT });
      return sharedPage;
    },
  };
}
