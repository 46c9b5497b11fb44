import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { StackOptions } from '@florin/dev-env/stack.ts';
import type { Config } from '@florin/server/config/config.ts';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type BankShop, openBankShop } from './bank-shop.ts';
import { closeWindows, sharedBrowser } from './browser.ts';
import { type CheckoutPage, type Ending, openCheckout } from './checkout-page.ts';

const numberOf = (token: string): string =>
  sandboxCards.find((card) => card.token === token)!.number;
/** `asked`: a card that needs a challenge. `trusted`: a card that needs none. */
export const asked = numberOf('pan_test_threeds_challenge');
export const trusted = numberOf('pan_test_visa');

/** Amounts that select behaviour of the simulated bank; see the README. */
export const amounts = {
  code: 2499,
  slowLook: 9801,
  endlessLook: 9802,
  brokenLook: 9803,
  oob: 9821,
  hang: 9822,
  unreachable: 9823,
  unframeable: 9824,
  error: 9825,
  late: 9826,
  duplicate: 9827,
  hostile: 9828,
} as const;

/**
 * `PACE` shortens the bank's delays to a third. The cardholder's time limit is shorter too, but longer than any test.
 */
const PACE = 0.3;
const CHALLENGE_LIMIT_MS = 90_000;
/** Seconds until the cardholder's time limit has certainly passed. */
export const CHALLENGE_OVER_S = CHALLENGE_LIMIT_MS / 1_000 + 1;
const LOOK_LIMIT_MS = 1_000;
const APPEAR_LIMIT_MS = 5_000;

/**
 * `LONG_TIMEOUT_MS`: time limit of a test under load. `SHORT_TIMEOUT`: time limit of the elements that a test waits
 * for.
 */
export const LONG_TIMEOUT_MS = 60_000;
export const SHORT_TIMEOUT = { timeout: 15_000, interval: 200 };

/** A cardholder at a payment's form, in a browser context of its own. */
export interface Visit extends AsyncDisposable {
  readonly payment: string;
  readonly tab: CheckoutPage;
  readonly page: Page;
  /** The bank's page inside the form. */
  readonly bank: FrameLocator;
}

export interface Verifying extends Visit {
  readonly ending: Promise<Ending>;
}

/** A complete Florin with simulated bank, shop and browser, for the tests of a file. */
export interface UsedBank {
  readonly shop: BankShop;
  readonly browser: Browser;
  /** Opens the form of a payment. `page` is the URL of the shop's page. */
  open(payment: string, page?: string): Promise<Visit>;
  /** Creates a payment of this amount, enters a card and verifies it. */
  pay(amount: number, number?: string): Promise<Verifying>;
}

interface BankOptions extends Pick<StackOptions, 'onBrowser'>, Pick<Config, 'clock'> {}

export function useBank({ clock, ...options }: BankOptions = {}): UsedBank {
  let shop: BankShop;
  let browser: Browser;
  beforeAll(async () => {
    const config = {
      ...(clock && { clock }),
      challenge_limit_ms: CHALLENGE_LIMIT_MS,
      fingerprint_limit_ms: LOOK_LIMIT_MS,
      appear_limit_ms: APPEAR_LIMIT_MS,
    };
    const stack = { pace: PACE, config, ...options };
    [shop, browser] = await Promise.all([openBankShop(stack), sharedBrowser()]);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await shop[Symbol.asyncDispose]();
  });
  const open = async (payment: string, page = shop.shop): Promise<Visit> => {
    const options = { payment_id: payment, key: shop.publishable_key };
    const tab = await openCheckout(browser, { shop: page }, options);
    return {
      payment,
      tab,
      page: tab.page,
      bank: tab.form.frameLocator('dialog iframe'),
      [Symbol.asyncDispose]: () => tab.page.context().close(),
    };
  };
  return {
    get shop() {
      return shop;
    },
    get browser() {
      return browser;
    },
    open,
    async pay(amount, number = asked) {
      return verify(await open(await shop.makePayment(amount)), number);
    },
  };
}

/** Enters a card and starts its verification, without waiting for the result. */
export async function verify(visit: Visit, number = asked): Promise<Verifying> {
  await visit.tab.fill({ number });
  const ending = visit.tab.verify();
  // A handler, because the test may end before the promise rejects.
  ending.catch(() => {});
  return { ...visit, ending };
}

/** Types a code into the bank's page, in the form or in a tab. */
export async function answer(bank: FrameLocator | Page, code: string): Promise<void> {
  await bank.getByLabel('Code from your bank').fill(code);
  await bank.getByRole('button', { name: 'Confirm' }).click();
}

export const attributesOf = async (shop: BankShop, payment: string, type = 'payment_demands') =>
  (await shop.fetch(type, payment)).attributes;

/** Returns the `external_state` of the card in a result. */
export const stateOf = async (shop: BankShop, { detail }: Ending) =>
  (await shop.fetch('payment_methods', detail.payment_method ?? '')).attributes.external_state;
