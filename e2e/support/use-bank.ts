import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { StackOptions } from '@florin/dev-env/stack.ts';
import type { Config } from '@florin/server/config/config.ts';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Api, useApi, useOwnStack } from '../../packages/server/tests/support/api.ts';
import { type BankShop, openBankShop } from './bank-shop.ts';
import { closeWindows, getSharedBrowser } from './browser.ts';
import {
  type CheckoutOptions,
  type CheckoutPage,
  openCheckout,
  reopenCheckout,
  type SdkResult,
} from './checkout-page.ts';

const numberOf = (token: string): string =>
  sandboxCards.find((card) => card.token === token)!.number;
/** Numbers of a card that needs a challenge, and of a card that needs none. */
export const challengeNumber = numberOf('pan_test_threeds_challenge');
export const frictionlessNumber = numberOf('pan_test_visa');

/** Amounts that select behaviour of the simulated bank; see `docs/pages/sandbox`. */
export const amounts = {
  code: 2499,
  endlessLook: 9802,
  oob: 9821,
  hang: 9822,
  unreachable: 9823,
  unframeable: 9824,
  late: 9826,
  hostile: 9828,
} as const;

/**
 * `PACE` shortens the bank's delays to a third. The cardholder's time limit is shorter too, but longer than any test.
 */
const PACE = 0.3;
const CHALLENGE_LIMIT_MS = 90_000;
/** Seconds until the cardholder's time limit has certainly passed. */
export const CHALLENGE_OVER_S = CHALLENGE_LIMIT_MS / 1_000 + 1;
const FINGERPRINT_LIMIT_MS = 1_000;
const APPEAR_LIMIT_MS = 5_000;

/**
 * `LONG_TIMEOUT_MS`: time limit of a test under load. `SHORT_TIMEOUT`: time limit of the elements that a test waits
 * for.
 */
export const LONG_TIMEOUT_MS = 240_000;
export const SHORT_TIMEOUT = { timeout: 60_000, interval: 50 };

/** A cardholder at a payment's form. After the visit, another one may use the tab. */
export interface Visit extends AsyncDisposable {
  readonly payment: string;
  readonly tab: CheckoutPage;
  readonly page: Page;
  /** The bank's page inside the form. */
  readonly bank: FrameLocator;
}

export interface VerifyingVisit extends Visit {
  readonly verification: Promise<SdkResult>;
}

export interface VisitOptions extends Omit<CheckoutOptions, 'payment_id'> {
  /** URL of the shop's page. Default: the page without isolation. */
  readonly shopUrl?: string;
  /** Opens a tab that no other visit uses, for tests that change the shop's page. */
  readonly ownTab?: boolean;
}

/** A complete Florin with simulated bank, shop and browser, for the tests of a file. */
export interface UsedBank {
  readonly shop: BankShop;
  readonly browser: Browser;
  /** Opens the form of a payment. */
  open(payment: string, options?: VisitOptions): Promise<Visit>;
  /** Creates a payment of this amount, enters a card and verifies it. */
  pay(amount: number, number?: string, options?: VisitOptions): Promise<VerifyingVisit>;
}

interface BankOptions extends Pick<StackOptions, 'onBrowser'>, Partial<Pick<Config, 'clock'>> {}

/** Uses a stack of this file alone, whose bank is quick. */
export function useBank({ clock, ...options }: BankOptions = {}): UsedBank {
  const config = {
    ...(clock && { clock }),
    challenge_limit_ms: CHALLENGE_LIMIT_MS,
    fingerprint_limit_ms: FINGERPRINT_LIMIT_MS,
    appear_limit_ms: APPEAR_LIMIT_MS,
  };
  return createBank(useOwnStack({ pace: PACE, config, ...options }));
}

/** Uses the stack that the test files of one process share. */
export const useSharedBank = (): UsedBank => createBank(useApi());

function createBank(api: Api): UsedBank {
  let shop: BankShop;
  let browser: Browser;
  beforeAll(async () => {
    [shop, browser] = await Promise.all([openBankShop(api.stack), getSharedBrowser()]);
  });
  afterAll(async () => {
    await closeWindows(browser);
    await shop[Symbol.asyncDispose]();
  });
  const tabs = createTabs(() => browser);
  const open: UsedBank['open'] = async (payment, { shopUrl = shop.shopUrl, ...options } = {}) => {
    const checkoutOptions = { key: shop.publishable_key, ...options, payment_id: payment };
    const tab = await tabs.open(shopUrl, checkoutOptions);
    return {
      payment,
      tab,
      page: tab.page,
      bank: tab.form.frameLocator('dialog iframe'),
      [Symbol.asyncDispose]: () => tabs.leave(tab),
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
    async pay(amount, number = challengeNumber, options = {}) {
      return verify(await open(await shop.makePayment(amount), options), number);
    },
  };
}

interface TabOptions extends CheckoutOptions, Pick<VisitOptions, 'ownTab'> {}

/** Tabs of one browser that visits use in turn. */
function createTabs(getBrowser: () => Browser) {
  /** Tabs without a visit, by the shop's page and the settings of the context. */
  const idleTabs = new Map<string, CheckoutPage[]>();
  const tabKinds = new Map<CheckoutPage, string>();
  return {
    async open(shopUrl: string, { ownTab, ...options }: TabOptions): Promise<CheckoutPage> {
      const kind = JSON.stringify([shopUrl, options.context]);
      const idleTab = ownTab ? undefined : idleTabs.get(kind)?.pop();
      if (idleTab) await reopenCheckout(idleTab, options);
      const tab = idleTab ?? (await openCheckout(getBrowser(), { shopUrl }, options));
      if (!ownTab) tabKinds.set(tab, kind);
      return tab;
    },
    /** Closes the tabs that the visit opened, and its own unless another visit can use that. */
    async leave(tab: CheckoutPage): Promise<void> {
      const kind = tabKinds.get(tab);
      const { page } = tab;
      if (kind === undefined || page.isClosed()) return page.context().close();
      const popups = page
        .context()
        .pages()
        .filter((candidate) => candidate !== page);
      await Promise.all(popups.map((popup) => popup.close()));
      await page.evaluate(() => globalThis.florin?.destroy());
      idleTabs.set(kind, [...(idleTabs.get(kind) ?? []), tab]);
    },
  };
}

/** Enters a card and starts its verification, without waiting for the result. */
export async function verify(visit: Visit, number = challengeNumber): Promise<VerifyingVisit> {
  await visit.tab.fill({ number });
  const verification = visit.tab.verify();
  // A handler, because the test may end before the promise rejects.
  verification.catch(() => {});
  return { ...visit, verification };
}

/** Types a code into the bank's page, in the form or in a tab. */
export async function enterCode(bank: FrameLocator | Page, code: string): Promise<void> {
  await bank.getByLabel('Code from your bank').fill(code);
  await bank.getByRole('button', { name: 'Confirm' }).click();
}

export const attributesOf = async (shop: BankShop, payment: string, type = 'payment_demands') =>
  (await shop.fetch(type, payment)).attributes;

/** Returns the `external_state` of the card in a result. */
export const stateOf = async (shop: BankShop, { detail }: SdkResult) =>
  (await shop.fetch('payment_methods', detail.payment_method ?? '')).attributes.external_state;
