import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { useApi } from '../../packages/server/tests/support/api.ts';
import { closeWindows, getSharedBrowser } from '../support/browser.ts';
import {
  collectConsoleErrors,
  type DashboardPage,
  newWindow,
  pagesOfMerchant,
} from '../support/dashboard.ts';
import { type PaymentApi, paymentApi } from '../support/payment-api.ts';
import { signInByKeys } from '../support/refund-by-keys.ts';

const LONG_TIMEOUT_MS = 120_000;
/** An amount that the simulator disputes as soon as it is captured. */
const DISPUTED_CENTS = 19_708;

const ROSES = {
  name: 'Roses',
  sku: 'R-12',
  quantity: 2,
  amount_cents: 1300,
  amount_currency: 'USD',
};

/** A signed-in window, and the payments that exist before the first test. */
interface Started {
  readonly page: Page;
  readonly dashboard: DashboardPage;
  readonly payments: PaymentApi;
  readonly ids: Readonly<Record<'paid' | 'failed' | 'held' | 'subscription' | 'disputed', string>>;
}

/** Window of the tests of payments. One file has all of them, because each sign-in takes seconds. */
export interface PaymentsJourney extends Started {
  readonly api: ReturnType<typeof useApi>;
  rows(): Locator;
  button(name: string): Locator;
  dialog(): Locator;
  timeline(): Locator;
}

/** Makes payments and signs in before the tests of the file. The journey is complete when the first test runs. */
export function usePaymentsJourney(): PaymentsJourney {
  const api = useApi();
  let browser: Browser | undefined;
  let started: Started | undefined;
  const startedJourney = (): Started => {
    if (!started) throw new Error('the journey begins with the first test');
    return started;
  };
  beforeAll(async () => {
    browser = await getSharedBrowser();
    started = await startJourney(browser, api);
  });
  afterAll(() => closeWindows(browser));
  const locate = () => startedJourney().page;
  return {
    api,
    get page() {
      return startedJourney().page;
    },
    get dashboard() {
      return startedJourney().dashboard;
    },
    get payments() {
      return startedJourney().payments;
    },
    get ids() {
      return startedJourney().ids;
    },
    rows: () => locate().locator('tbody tr[data-index]'),
    button: (name) => locate().getByRole('button', { name, exact: true }),
    dialog: () => locate().getByRole('dialog'),
    timeline: () => locate().getByRole('list', { name: 'Timeline' }),
  };
}

async function startJourney(browser: Browser, api: ReturnType<typeof useApi>): Promise<Started> {
  const payments = paymentApi(api.stack);
  const [paid, failed, held, subscription, disputed] = await Promise.all([
    payments.pay({
      amount_cents: 4200,
      purchase_reference: 'roses-1',
      line_items: [ROSES, { ...ROSES, name: 'Vase', quantity: 1, discount_cents: 100 }],
      shipping_detail: { shipping_cents: 300, shipping_currency: 'USD' },
    }),
    payments.pay({ amount_cents: 1999, card: 'insufficient_funds', email: 'grace@example.com' }),
    payments.pay({ amount_cents: 9900, capture_method: 'manual', card: 'mastercard' }),
    payments.subscribe({ amount_cents: 2500, purchase_reference: 'roses-monthly' }),
    payments.pay({ amount_cents: DISPUTED_CENTS, purchase_reference: 'tulips-1' }),
  ]);
  const page = await newWindow(browser);
  const consoleErrors = collectConsoleErrors(page);
  await signInByKeys(page, api.stack);
  const dashboard = { ...pagesOfMerchant(page), consoleErrors };
  return { page, dashboard, payments, ids: { paid, failed, held, subscription, disputed } };
}

/** Polls with a long time-out: pages load slowly on a busy machine. */
export const eventually = <Result>(read: () => Promise<Result>) =>
  expect.poll(read, { timeout: LONG_TIMEOUT_MS });
