import { describe, expect, it } from 'vitest';
import type { CheckoutPage } from './support/checkout-page.ts';
import { useTestbed } from './support/use-testbed.ts';

const setup = useTestbed();

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

/** Events of a form that has connected. */
const MOUNT_EVENTS = ['payment_method_changed', 'payment_method_ready'];

async function open(script?: string): Promise<CheckoutPage> {
  setup.testbed.origins = [setup.testbed.shopUrl];
  setup.testbed.config = {
    mode: 'live',
    wallets: { verify_url: '/frame/v1/wallet', google_pay: { request } },
  };
  const shop = await setup.open({ options: { googlePay: true } });
  await shop.page
    .context()
    .route('https://pay.google.com/**', (route) =>
      script === undefined
        ? undefined
        : route.fulfill({ contentType: 'text/javascript', body: script }),
    );
  await remount(shop);
  await shop.form.getByRole('button', { name: 'Pay with Google Pay' }).waitFor();
  return shop;
}

/** Mounts the form again, now with Google's script, and waits until the page has its first events. */
async function remount({ page, eventNames }: CheckoutPage): Promise<void> {
  await page.evaluate(() => {
    globalThis.recordedEvents = [];
    const { pathname } = new URL(document.querySelector('iframe')?.src ?? '');
    globalThis.florin.mountPaymentForm('form', pathname.split('/').at(-1) ?? '');
  });
  await expect.poll(eventNames).toEqual(MOUNT_EVENTS);
}

/** Presses the button with a key: the form accepts keys at once, but pointers only after a moment. */
const press = ({ form }: CheckoutPage): Promise<void> =>
  form.getByRole('button', { name: 'Pay with Google Pay' }).press('Enter');

describe('Google Pay in live mode', () => {
  it("gets the server's request; closed, failed and approved sheets are each reported as such", async () => {
    const shop = await open(STUB);
    await press(shop);
    await press(shop);
    await shop.form.getByText('The wallet could not be used.').waitFor();
    // Events arrive in order: an event of the closed sheet would be the first of these.
    await expect
      .poll(async () =>
        (await shop.events())
          .slice(MOUNT_EVENTS.length)
          .map(({ type, detail }) => [type, detail.code]),
      )
      .toEqual([['payment_method_error', 'wallet_failed']]);
    expect(setup.testbed.walletRequests).toEqual([]);

    await press(shop);
    await expect.poll(() => shop.eventNames()).toContain('payment_method_verified');
    const formFrame = shop.page.frames().find((frame) => frame.url().includes('/pay/'));
    expect(await formFrame?.evaluate(() => Reflect.get(globalThis, 'asked'))).toEqual({
      options: { environment: 'PRODUCTION' },
      request,
    });
    expect(setup.testbed.walletRequests).toMatchObject([
      { wallet: 'google_pay', token: '{"protocolVersion":"ECv2"}', amount: '2499' },
    ]);
  });
});

describe("a form without Google's script", () => {
  it('takes cards, and says that the wallet is unavailable', async () => {
    const shop = await open();
    await shop.form.locator('#number').fill('4242');
    await press(shop);
    await shop.form.getByText('The wallet could not be used.').waitFor();
    expect(await shop.form.locator('#number').inputValue()).toBe('4242');
  });
});

describe('a form without configured wallets', () => {
  it('shows no buttons, and logs the reason to the console in debug mode', async () => {
    setup.testbed.config = { wallets: { verify_url: '/frame/v1/wallet' } };
    const context = await setup.browser.newContext();
    const page = await context.newPage();
    const consoleTexts: string[] = [];
    page.on('console', (message) => consoleTexts.push(message.text()));
    await page.goto(setup.testbed.shopUrl);
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
    expect(consoleTexts.filter((text) => text.includes('not set up'))).toEqual([
      '[florin form] applePay: not set up in sandbox mode',
      '[florin form] googlePay: not set up in sandbox mode',
    ]);
    await context.close();
  });
});
