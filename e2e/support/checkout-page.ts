import type { FlorinOptions } from '@florin/browser-sdk/options.ts';
import type { SdkEventDetail, SdkEventName } from '@florin/contract/protocol/frame.ts';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  FrameLocator,
  Page,
} from 'playwright-core';
import { type FormTestbed, PAYMENT_ID, PUBLISHABLE_KEY } from './form-testbed.ts';

/** Serialised result of a promise of the SDK. */
export interface SdkResult {
  readonly ok: boolean;
  readonly type: string;
  readonly detail: SdkEventDetail;
}

export interface RecordedEvent {
  readonly type: SdkEventName;
  readonly detail: SdkEventDetail;
}

interface EnteredCard {
  readonly number: string;
  readonly expiry?: string;
  readonly cvv?: string;
}

/** A shopper's tab with a mounted form. */
export interface CheckoutPage {
  readonly page: Page;
  readonly form: FrameLocator;
  /** Errors in the console, including violations of the content security policy. */
  readonly consoleErrors: string[];
  events(): Promise<RecordedEvent[]>;
  eventNames(): Promise<string[]>;
  /** Fills in all card fields in one step, as browsers with a stored card do. */
  fill(card: EnteredCard): Promise<void>;
  /** Types into all fields in order, key by key. */
  type(card: EnteredCard): Promise<void>;
  verify(timeout_ms?: number): Promise<SdkResult>;
  listen(): Promise<SdkResult>;
}

export interface MountOptions {
  readonly payment_id?: string;
  /** The publishable key. */
  readonly key?: string;
  /** Options of the SDK's client. */
  readonly options?: FlorinOptions;
}

export interface CheckoutOptions extends MountOptions {
  readonly context?: BrowserContextOptions;
}

/** Opens the shop in a tab and mounts the form. */
export async function openCheckout(
  browser: Browser | BrowserContext,
  testbed: Pick<FormTestbed, 'shopUrl'>,
  { context: settings = {}, ...mountOptions }: CheckoutOptions = {},
): Promise<CheckoutPage> {
  const context = 'newContext' in browser ? await browser.newContext(settings) : browser;
  const tab = wrapCheckout(await context.newPage());
  await tab.page.goto(testbed.shopUrl);
  await mountIn(tab, mountOptions);
  return tab;
}

/** Mounts another form in the shop's loaded page, for a third of the processor time of a new tab. */
export async function reopenCheckout(
  tab: CheckoutPage,
  mountOptions: MountOptions = {},
): Promise<void> {
  await tab.page.evaluate(() => globalThis.florin?.destroy());
  tab.consoleErrors.length = 0;
  await mountIn(tab, mountOptions);
}

const mountIn = (
  { page }: CheckoutPage,
  { payment_id = PAYMENT_ID, key = PUBLISHABLE_KEY, options = {} }: MountOptions,
): Promise<void> => page.evaluate(mount, { key, payment_id, options });

function wrapCheckout(page: Page): CheckoutPage {
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(String(error)));
  const form = page.frameLocator('#form iframe');
  const events = () => page.evaluate(() => globalThis.recordedEvents as RecordedEvent[]);
  return {
    page,
    form,
    consoleErrors,
    events,
    eventNames: async () => (await events()).map(({ type }) => type),
    async fill({ number, expiry = '12/39', cvv = '123' }) {
      await form.locator('#number').fill(number);
      await form.locator('#expiry').fill(expiry);
      await form.locator('#cvv').fill(cvv);
    },
    async type({ number, expiry = '12/39', cvv = '123' }) {
      await form.locator('#number').pressSequentially(number);
      await form.locator('#expiry').pressSequentially(expiry);
      await form.locator('#cvv').pressSequentially(cvv);
    },
    verify: (timeout_ms) =>
      page.evaluate(
        (ms) => globalThis.toSdkResult(globalThis.florin.verifyPaymentMethod(ms)),
        timeout_ms,
      ),
    listen: () => page.evaluate(() => globalThis.toSdkResult(globalThis.florin.listenToPayment())),
  };
}

declare global {
  var Florin: typeof import('@florin/browser-sdk/main.ts').Florin;
  var florin: InstanceType<typeof import('@florin/browser-sdk/main.ts').Florin>;
  var recordedEvents: RecordedEvent[];
  var toSdkResult: (promise: Promise<unknown>) => Promise<SdkResult>;
}

interface MountArguments {
  readonly key: string;
  readonly payment_id: string;
  readonly options: FlorinOptions;
}

/** Runs in the shop's page. */
function mount({ key, payment_id, options }: MountArguments): void {
  globalThis.recordedEvents = [];
  globalThis.toSdkResult = (promise) =>
    promise.then(
      (event) => ({ ok: true, ...(event as RecordedEvent) }),
      ({ type, detail }) => ({ ok: false, type, detail }),
    );
  globalThis.florin = new globalThis.Florin(key, options);
  const names = [
    'payment_method_verifying',
    'payment_method_changed',
    'payment_method_ready',
    'payment_method_verified',
    'payment_method_failed',
    'payment_method_error',
    'payment_approved',
    'subscription_approved',
    'payment_failed',
    'payment_timeout',
  ] as const;
  for (const name of names) {
    globalThis.florin.on(name, ({ type, detail }) =>
      globalThis.recordedEvents.push({ type, detail }),
    );
  }
  globalThis.florin.mountPaymentForm('form', payment_id);
}
