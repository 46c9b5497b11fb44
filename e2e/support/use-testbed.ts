import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeWindows, getSharedBrowser } from './browser.ts';
import {
  type CheckoutOptions,
  type CheckoutPage,
  type MountOptions,
  openCheckout,
  reopenCheckout,
} from './checkout-page.ts';
import { createFormTestbed, type FormTestbed } from './form-testbed.ts';

/** A browser and the form's server for the tests of a file. */
export interface UsedTestbed {
  readonly browser: Browser;
  readonly testbed: FormTestbed;
  /** Opens a tab of its own, which is closed after the test. For tests that change the shop's page. */
  open(options?: CheckoutOptions): Promise<CheckoutPage>;
  /** Mounts a new form in the tab that the tests of the file share. For tests that only use the form. */
  reopen(options?: MountOptions): Promise<CheckoutPage>;
}

/** High enough for every form, so that no test has to scroll. */
const SHARED_CONTEXT = { locale: 'en-US', viewport: { width: 800, height: 1_000 } };

export function useTestbed(): UsedTestbed {
  let browser: Browser;
  let testbed: FormTestbed;
  let sharedPage: CheckoutPage | undefined;
  beforeAll(async () => {
    [browser, testbed] = await Promise.all([getSharedBrowser(), createFormTestbed()]);
  });
  beforeEach(() => testbed.reset());
  afterEach(() => closeWindows(browser, sharedPage?.page.context()));
  afterAll(async () => {
    await closeWindows(browser);
    await testbed[Symbol.asyncDispose]();
  });
  return {
    get browser() {
      return browser;
    },
    get testbed() {
      return testbed;
    },
    open: (options) => openCheckout(browser, testbed, options),
    async reopen(options) {
      if (sharedPage && !sharedPage.page.isClosed()) await reopenCheckout(sharedPage, options);
      else
        sharedPage = await openCheckout(browser, testbed, { ...options, context: SHARED_CONTEXT });
      return sharedPage;
    },
  };
}
