import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { CheckoutPage } from './support/checkout-page.ts';
import { useStand } from './support/use-stand.ts';

const use = useStand();
/** Longer than the form must be visible before its buttons count. */
const SEEN_MS = 900;

/** The server's request for Google; the form passes it on unchanged. */
const request = { apiVersion: 2, transactionInfo: { totalPrice: '24.99', currencyCode: 'USD' } };

/**
 * Replaces Google's script, which tests cannot load: the cardholder closes the first sheet, the second fails, and the
 * third is approved.
 */
const STUB = `
let presses = 0;
globalThis.google = { payments: { api: { PaymentsClient: class {
  constructor(options) { globalThis.asked = { options }; }
  async loadPaymentData(request) {
    globalThis.asked.request = request;
    const statusCode = ['CANCELED', 'DEVELOPER_ERROR'][presses++];
    if (statusCode) throw Object.assign(new Error('no payment'), { statusCode });
    return { paymentMethodData: { tokenizationData: { token: '{"protocolVersion":"ECv2"}' } } };
  }
} } } };`;

/** Longest time for the form to react to a press that counts. */
const ANSWER_MS = 4_000;

async function open(script?: string): Promise<CheckoutPage> {
  use.stand.origins = [use.stand.shop];
  use.stand.config = {
    mode: 'live',
    wallets: { verify_url: '/frame/v1/wallet', google_pay: { request } },
  };
  const shop = await use.open({ options: { googlePay: true } });
  await shop.page
    .context()
    .route('https://pay.google.com/**', (route) =>
      script === undefined
        ? undefined
        : route.fulfill({ contentType: 'text/javascript', body: script }),
    );
  await remount(shop.page);
  await shop.form.getByRole('button', { name: 'Pay with Google Pay' }).waitFor();
  await shop.page.waitForTimeout(SEEN_MS);
  return shop;
}

/** Mounts the form again, now with Google's script. */
const remount = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { pathname } = new URL(document.querySelector('iframe')?.src ?? '');
    globalThis.florin.mountPaymentForm('form', pathname.split('/').at(-1) ?? '');
  });

const press = ({ form }: CheckoutPage): Promise<void> =>
  form.getByRole('button', { name: 'Pay with Google Pay' }).click();

describe('Google Pay in live mode', () => {
  it("gets the server's request; closed, failed and approved sheets are each reported as such", async () => {
    const shop = await open(STUB);
    const before = await shop.eventNames();
    await press(shop);
    await shop.page.waitForTimeout(SEEN_MS);
    expect(await shop.eventNames()).toEqual(before);

    await press(shop);
    await shop.form.getByText('The wallet could not be used.').waitFor();
    // The form shows the message before the page gets its event.
    await expect
      .poll(async () => (await shop.events()).map(({ type, detail }) => [type, detail.code]))
      .toContainEqual(['payment_method_error', 'wallet_failed']);
    expect(use.stand.approved).toEqual([]);

    // The message has moved the button.
    await shop.page.waitForTimeout(SEEN_MS);
    await press(shop);
    await expect.poll(() => shop.eventNames()).toContain('payment_method_verified');
    const form = shop.page.frames().find((frame) => frame.url().includes('/pay/'));
    expect(await form?.evaluate(() => Reflect.get(globalThis, 'asked'))).toEqual({
      options: { environment: 'PRODUCTION' },
      request,
    });
    expect(use.stand.approved).toMatchObject([
      { wallet: 'google_pay', token: '{"protocolVersion":"ECv2"}', amount: '2499' },
    ]);
  });
});

describe("a form without Google's script", () => {
  it('takes cards, and says that the wallet is unavailable', async () => {
    const shop = await open();
    await shop.form.locator('#number').fill('4242');
    const said = shop.form.getByText('The wallet could not be used.');
    // A press counts only after the form was visible for a while, which a busy machine notices late.
    const answered = async (): Promise<boolean> => {
      await press(shop);
      await said.waitFor({ timeout: ANSWER_MS }).catch(() => undefined);
      return said.isVisible();
    };
    await expect.poll(answered, { timeout: 10 * ANSWER_MS }).toBe(true);
  });
});

describe('a form without configured wallets', () => {
  it('shows no buttons, and logs the reason to the console in debug mode', async () => {
    use.stand.config = { wallets: { verify_url: '/frame/v1/wallet' } };
    const context = await use.browser.newContext();
    const page = await context.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(use.stand.shop);
    await page.evaluate(() => {
      const client = new globalThis.Florin('ept_sandbox_bsQsnYGFoLvE2Qt7tmsvuDESB', {
        applePay: true,
        googlePay: true,
        debug: true,
      });
      client.mountPaymentForm('form', '01997a6e-0000-7000-8000-000000000001');
    });
    await page.frameLocator('#form iframe').locator('#number').waitFor();
    expect(await page.frameLocator('#form iframe').locator('.wallets').count()).toBe(0);
    expect(said.filter((text) => text.includes('not set up'))).toEqual([
      '[florin form] applePay: not set up in sandbox mode',
      '[florin form] googlePay: not set up in sandbox mode',
    ]);
    await context.close();
  });
});
