import { describe, expect, it } from 'vitest';
import { callPay } from '../packages/server/tests/support/form.ts';
import { openCheckout } from './support/checkout-page.ts';
import {
  amounts,
  answer,
  asked,
  attributesOf,
  LONG_TIMEOUT_MS,
  SHORT_TIMEOUT,
  useBank,
} from './support/use-bank.ts';

const use = useBank();
const MEDIA_TYPE = 'application/vnd.api+json';

/** Creates a publishable key whose form only pages of these origins may mount. */
async function keyFor(origins: readonly string[]): Promise<string> {
  const { baseUrl, credentials } = use.shop.stack;
  const attributes = { name: 'Shop', context: 'browser', origins };
  const response = await fetch(`${baseUrl}/v2/merchant_tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.sandbox.secret_key}`,
      'user-agent': 'e2e/1',
      'content-type': MEDIA_TYPE,
    },
    body: JSON.stringify({ data: { type: 'merchant_tokens', attributes } }),
  });
  const { data } = (await response.json()) as { data: { attributes: { token: string } } };
  return data.attributes.token;
}

describe('a publishable key', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#5 with registered origins mounts its form there, and on no page of another', async () => {
    const key = await keyFor([use.shop.shop]);
    const payment_id = await use.shop.makePayment(amounts.code);
    const evil = use.shop.shop.replace('shop.', 'evil.');
    const at = (shop: string) => openCheckout(use.browser, { shop }, { key, payment_id });
    const own = await at(use.shop.shop);
    await own.form.locator('#number').waitFor();
    const thief = await at(evil);
    await expect.poll(() => thief.complaints.join(), SHORT_TIMEOUT).toContain('frame-ancestors');
    expect(await thief.form.locator('input').count()).toBe(0);
    await Promise.all([own, thief].map(({ page }) => page.context().close()));
  });

  it('#5 answers no foreign page, even in a browser that allows framing', async () => {
    const key = await keyFor([use.shop.shop]);
    const payment_id = await use.shop.makePayment(amounts.code);
    const context = await use.browser.newContext();
    await context.route('**/pay/**', async (route) => {
      const { pathname, search } = new URL(route.request().url());
      const { text } = await callPay(use.shop.stack, `${pathname}${search}`);
      // Drops the Content-Security-Policy, which keeps other browsers from showing the form at all.
      await route.fulfill({ body: text, contentType: 'text/html' });
    });
    const evil = use.shop.shop.replace('shop.', 'evil.');
    const thief = await openCheckout(context, { shop: evil }, { key, payment_id });
    await thief.form.locator('#number').waitFor();
    expect(await thief.verify(2_000)).toMatchObject({ ok: false, type: 'payment_timeout' });
    expect(await thief.eventNames()).not.toContain('payment_method_error');
    await context.close();
  });

  it('#5 without registered origins mounts on every page of the sandbox', async () => {
    const key = await keyFor([]);
    const payment_id = await use.shop.makePayment(amounts.code);
    const shop = use.shop.shop.replace('shop.', 'other.');
    const { form, page } = await openCheckout(use.browser, { shop }, { key, payment_id });
    await form.locator('#number').waitFor();
    expect(await form.locator('input').count()).toBe(3);
    await page.context().close();
  });
});

describe('a verification past its time-out', { timeout: LONG_TIMEOUT_MS }, () => {
  it('#8 is abandoned at the server: a code that comes late puts no card on the payment', async () => {
    await using visit = await use.open(await use.shop.makePayment(amounts.code));
    const { tab, bank, payment } = visit;
    await tab.fill({ number: asked });
    const ending = tab.verify(10_000);
    await bank.getByLabel('Code from your bank').fill('123456');
    // Held until the time-out: the bank's page ends with the challenge.
    expect(await ending).toMatchObject({ ok: false, type: 'payment_timeout' });
    const [method] = await use.shop.methods();
    expect(method?.attributes.external_state).toBe('failed');
    await expect.poll(() => tab.form.getByRole('dialog').count(), SHORT_TIMEOUT).toBe(0);
    const before = await tab.eventNames();
    await tab.page.waitForTimeout(1_500);
    expect(await tab.eventNames()).toEqual(before);
    expect((await attributesOf(use.shop, payment)).status).toBe('incomplete');

    // The vault keeps the verification value no longer than the attempt, so it is typed again.
    await tab.form.locator('#cvv').fill('123');
    const second = tab.verify();
    await answer(bank, '123456');
    expect(await second).toMatchObject({ ok: true, type: 'payment_method_verified' });
    expect((await attributesOf(use.shop, payment)).status).toBe('ready');
  });
});
