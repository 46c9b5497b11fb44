import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import type { VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import { compactDecrypt } from 'jose';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeWindows, launchWholeBrowser, sharedBrowser } from './support/browser.ts';
import { type CheckoutPage, openCheckout } from './support/checkout-page.ts';
import {
  createFormStand,
  detail,
  type FormStand,
  PAYMENT_ID,
  PUBLISHABLE_KEY,
} from './support/form-stand.ts';

const numberOf = (token: string): string =>
  sandboxCards.find((card) => card.token === token)!.number;
const visa = { number: numberOf('pan_test_visa') };

const terminal = (names: string[]): string[] =>
  names.filter((name) => /^payment_(approved|failed|timeout)$/.test(name));

let browser: Browser;
let stand: FormStand;
let shop: CheckoutPage;

beforeAll(async () => {
  [browser, stand] = await Promise.all([sharedBrowser(), createFormStand()]);
});
beforeEach(async () => {
  stand.reset();
  shop = await openCheckout(browser, stand);
});
afterEach(() => shop.page.context().close());
afterAll(async () => {
  await closeWindows(browser);
  await stand[Symbol.asyncDispose]();
});

describe('a mounted form', () => {
  it('reports when the card becomes ready, under both names of the event', async () => {
    await shop.type(visa);
    const told = async (name: string) =>
      (await shop.events())
        .filter(({ type }) => type === name)
        .map(({ detail: { ready, brand } }) => [ready, brand]);
    for (const name of ['payment_method_changed', 'payment_method_ready']) {
      await expect
        .poll(() => told(name))
        .toEqual([
          [false, 'unknown'],
          [false, 'visa'],
          [true, 'visa'],
        ]);
    }
  });

  it('sizes its frame to its content', async () => {
    const frame = shop.page.locator('#form iframe');
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(150);
    const before = (await frame.boundingBox())!.height;
    await shop.verify();
    await expect.poll(async () => (await frame.boundingBox())!.height).toBeGreaterThan(before);
  });

  it('#18 works without violations in a shop under the strictest policy', async () => {
    await shop.fill(visa);
    await shop.verify();
    expect(shop.complaints).toEqual([]);
  });

  it('has the amount in its name, for screen readers', async () => {
    expect(await shop.form.getByRole('heading').textContent()).toBe('Pay $24.99 by card');
    expect(await shop.page.locator('iframe').getAttribute('title')).toBe('Card details');
  });

  it.each([
    ['light', 'rgb(0, 0, 0)'],
    ['dark', 'color(srgb 0.95 0.95 0.95)'],
  ])('is %s if the text of the page is %s', async (scheme, color) => {
    await shop.page.evaluate(
      ({ id, color }) => {
        document.body.style.color = color;
        globalThis.florin.mountPaymentForm('form', id);
      },
      { id: PAYMENT_ID, color },
    );
    const root = shop.form.locator('html');
    await shop.form.getByLabel('Card number').waitFor();
    expect(await root.evaluate((node) => getComputedStyle(node).colorScheme)).toBe(scheme);
  });

  it('#3 cannot be read by the surrounding page', async () => {
    await shop.form.getByLabel('Card number').waitFor();
    const read = await shop.page.evaluate(() => {
      const frame = document.querySelector('iframe')!;
      try {
        return frame.contentDocument ?? frame.contentWindow!.document;
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(read).toBe('SecurityError');
  });

  it('#24 is filled, read and left by keyboard alone', async () => {
    const { page } = shop;
    await shop.form.getByLabel('Card number').waitFor();
    await page.locator('#before').focus();
    const entries = { number: visa.number, expiry: '1239', cvv: '123' };
    for (const [field, typed] of Object.entries(entries)) {
      await page.keyboard.press('Tab');
      // The focus crosses into the frame's process; earlier keystrokes are lost.
      await shop.form.locator(`#${field}:focus`).waitFor();
      await page.keyboard.type(typed);
    }
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('after');
    await expect.poll(async () => (await shop.events()).at(-1)?.detail.ready).toBe(true);
  });

  it('describes problems of a field that is left', async () => {
    const expiry = shop.form.getByLabel('Expiry date');
    await expiry.pressSequentially('0120');
    await expiry.press('Tab');
    expect(await shop.form.locator('#expiry-problem').textContent()).toBe('This card has expired.');
    expect(await expiry.getAttribute('aria-invalid')).toBe('true');
    expect(await expiry.getAttribute('aria-describedby')).toContain('expiry-problem');
    await expiry.press('Backspace');
    await expiry.fill('12/39');
    expect(await shop.form.locator('#expiry-problem').textContent()).toBe('');
    expect(await expiry.getAttribute('aria-invalid')).toBe('false');
  });

  it('formats a number and keeps the caret where digits are inserted', async () => {
    const number = shop.form.getByLabel('Card number');
    await number.pressSequentially('40055192');
    for (let i = 0; i < 5; i++) await number.press('ArrowLeft');
    await number.press('Backspace');
    await number.pressSequentially('67');
    expect(await number.inputValue()).toBe('4006 7519 2');
  });
});

describe('verification', () => {
  it('sends a card that only the holder of the key can read, and resolves with its event', async () => {
    await shop.fill(visa);
    expect(await shop.verify()).toEqual({ ok: true, type: 'payment_method_verified', detail });
    const [body] = stand.verified;
    expect(JSON.stringify(body)).not.toContain(visa.number);
    const { plaintext } = await compactDecrypt(body!.pan_jwe, stand.privateKey);
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toMatchObject({
      pan: visa.number,
      expiry_month: 12,
      expiry_year: 2039,
    });
    expect((await shop.eventNames()).slice(-2)).toEqual([
      'payment_method_verifying',
      'payment_method_verified',
    ]);
  });

  it('#2 never shows the card to the page', async () => {
    await shop.type(visa);
    await shop.verify();
    const seen = JSON.stringify(await shop.events());
    expect(seen).not.toContain(visa.number);
    expect(await shop.page.content()).not.toContain(visa.number);
  });

  it('#7 is shared by concurrent calls, and stays answered until the card is edited', async () => {
    await shop.fill(visa);
    const same = await shop.page.evaluate(async () => {
      const [a, b] = [
        globalThis.florin.verifyPaymentMethod(),
        globalThis.florin.verifyPaymentMethod(),
      ];
      await a;
      return a === b;
    });
    expect(same).toBe(true);
    expect((await shop.verify()).ok).toBe(true);
    expect(stand.verified).toHaveLength(1);
    await shop.form.getByLabel('Security code').pressSequentially('321');
    await shop.verify();
    expect(stand.verified).toHaveLength(2);
  });

  it.each([
    ['failed', 'payment_method_failed'],
    ['error', 'payment_method_error'],
  ] as const)(
    'rejects when it %s, with the reason, and clears the verification value',
    async (result, type) => {
      const answer = {
        code: 'authentication_failed',
        message: 'Your bank did not approve this card.',
      };
      stand.verify = () => ({ result, detail: answer });
      await shop.fill(visa);
      expect(await shop.verify()).toEqual({ ok: false, type, detail: answer });
      expect(await shop.eventNames()).toContain(type);
      expect(await shop.form.getByText(answer.message).isVisible()).toBe(true);
      expect(await shop.form.getByLabel('Security code').inputValue()).toBe('');
      expect((await shop.events()).at(-1)?.detail.ready).toBe(false);
    },
  );

  it('of an incomplete card sends nothing and focuses the first problem', async () => {
    const ending = await shop.verify();
    expect(ending).toMatchObject({
      ok: false,
      type: 'payment_method_error',
      detail: { code: 'invalid_card' },
    });
    expect(stand.verified).toEqual([]);
    expect(
      await shop.form.locator('#number').evaluate((node) => node === document.activeElement),
    ).toBe(true);
    expect(await shop.form.getByText('Enter the card number.').isVisible()).toBe(true);
  });

  it('#9 without an answer keeps the card and sends the same one again', async () => {
    stand.verify = () => 503;
    await shop.fill(visa);
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'network' } });
    stand.verify = () => ({ result: 'verified', detail });
    expect((await shop.verify()).ok).toBe(true);
    const [first, second] = stand.verified;
    expect(second).toEqual(first);
  });

  it('#8 past its time-out ends in a timeout, and nothing follows', async () => {
    let answer!: (answer: VerifyAnswer) => void;
    stand.verify = () => new Promise<VerifyAnswer>((resolve) => (answer = resolve));
    await shop.fill(visa);
    expect(await shop.verify(200)).toMatchObject({ ok: false, type: 'payment_timeout' });
    const before = await shop.eventNames();
    answer({ result: 'verified', detail });
    stand.status = () => ({ status: 'approved', detail });
    await shop.page.waitForTimeout(1_500);
    expect(await shop.eventNames()).toEqual(before);
  });

  it('#12 is rejected when the form is destroyed, and the frame is removed', async () => {
    stand.verify = () => new Promise(() => {});
    await shop.fill(visa);
    const ending = shop.verify();
    await expect.poll(() => stand.verified.length).toBe(1);
    await shop.page.evaluate(() => globalThis.florin.destroy());
    expect(await ending).toMatchObject({ ok: false, type: 'destroyed' });
    expect(await shop.page.locator('iframe').count()).toBe(0);
  });
});

describe('the payment', () => {
  it('#1 is approved once', async () => {
    await shop.fill(visa);
    await shop.verify();
    const approval = shop.listen();
    stand.status = () => ({ status: 'approved', detail });
    expect(await approval).toEqual({ ok: true, type: 'payment_approved', detail });
    expect(await shop.listen()).toEqual(await approval);
    expect(terminal(await shop.eventNames())).toEqual(['payment_approved']);
  });

  it('fails, and succeeds with another card in the same form', async () => {
    const declined = {
      ...detail,
      code: 'insufficient_funds',
      message: 'The card has insufficient funds.',
    };
    stand.status = () => ({ status: 'failed', detail: declined });
    await shop.fill(visa);
    await shop.verify();
    expect(await shop.listen()).toEqual({ ok: false, type: 'payment_failed', detail: declined });
    stand.status = () => ({ status: 'approved', detail });
    await shop.form.getByLabel('Security code').pressSequentially('321');
    await shop.verify();
    expect(await shop.listen()).toMatchObject({ ok: true, type: 'payment_approved' });
    expect(terminal(await shop.eventNames())).toEqual(['payment_failed', 'payment_approved']);
  });
});

describe('mounting', () => {
  it('#13 twice leaves one working frame', async () => {
    await shop.page.evaluate((id) => {
      globalThis.florin.mountPaymentForm('form', id);
      globalThis.florin.mountPaymentForm('form', id);
    }, PAYMENT_ID);
    expect(await shop.page.locator('iframe').count()).toBe(1);
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
  });

  it('elsewhere moves the form', async () => {
    await shop.page.evaluate((id) => globalThis.florin.mountPaymentForm('other', id), PAYMENT_ID);
    expect(await shop.page.locator('#form iframe').count()).toBe(0);
    expect(await shop.page.locator('#other iframe').count()).toBe(1);
  });

  it('into an element that does not exist throws and names it', async () => {
    const mount = shop.page.evaluate(
      (id) => void globalThis.florin.mountPaymentForm('nowhere', id),
      PAYMENT_ID,
    );
    await expect(mount).rejects.toThrow('there is no element with the id "nowhere"');
  });

  it("puts every option into the form's address", async () => {
    const address = await shop.page.locator('iframe').getAttribute('src');
    expect(address).toContain('applePay=false&googlePay=false');
    expect(address).not.toContain('undefined');
  });

  it('of an unknown payment shows a page that names the problem, and verification fails at once', async () => {
    await shop.page.evaluate(
      (id) => void globalThis.florin.mountPaymentForm('form', id),
      PAYMENT_ID.replace('1', '2'),
    );
    expect(await shop.form.getByRole('heading').textContent()).toBe(
      'The payment form cannot be shown',
    );
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'form_unavailable' } });
    expect(shop.complaints.join()).toContain(
      "Is this page's origin among the `origins` of the key?",
    );
  });

  it('of a payment without a processor shows a notice without fields, and every caller gets the code', async () => {
    stand.closed = true;
    const key = PUBLISHABLE_KEY.replace('sandbox', 'live');
    const closed = await openCheckout(browser, stand, { key });
    expect(await closed.form.getByRole('heading').textContent()).toBe(
      'Card payments are not set up here yet',
    );
    expect(await closed.form.locator('input').count()).toBe(0);
    const told = { code: 'no_processor', message: expect.stringContaining('Use sandbox keys') };
    const refused = { ok: false, type: 'payment_method_error', detail: told };
    expect(await closed.verify()).toMatchObject(refused);
    expect(await closed.listen()).toMatchObject({
      ok: false,
      type: 'payment_failed',
      detail: told,
    });
    const [first] = await closed.events();
    expect(first).toMatchObject({ type: 'payment_method_error', detail: told });
    const { height } = (await closed.page.locator('iframe').boundingBox()) ?? {};
    expect(height).toBeLessThan(197);
    expect(closed.complaints.join()).toMatch(/Florin: no_processor\. .*Use sandbox keys/);
  });

  it('#5 by a page of an unregistered origin is refused by the browser', async () => {
    stand.origins = [stand.shop];
    const url = `${stand.pay}/pay/${PAYMENT_ID}`;
    for (const [origin, fields] of [
      [stand.shop, 3],
      [stand.evil, 0],
    ] as const) {
      await shop.page.goto(origin);
      const loaded = shop.page.evaluate((src) => {
        const frame = document.createElement('iframe');
        const load = new Promise((resolve) => frame.addEventListener('load', resolve));
        frame.src = src;
        document.body.append(frame);
        return load.then(() => {});
      }, url);
      await loaded;
      expect(await shop.page.frameLocator('iframe').locator('input').count()).toBe(fields);
    }
  });
});

describe('messages', () => {
  it('#4 from anything but the form are ignored', async () => {
    await shop.form.getByLabel('Card number').waitFor();
    await shop.page.evaluate(() => {
      const forged = { t: 'event', name: 'payment_approved', detail: {} };
      window.postMessage(forged, '*');
      window.postMessage('florin:hello', '*');
      const sibling = document.createElement('iframe');
      document.body.append(sibling);
      for (const data of ['florin:hello', forged]) {
        window.dispatchEvent(
          new MessageEvent('message', {
            data,
            origin: location.origin,
            source: sibling.contentWindow,
          }),
        );
      }
    });
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
    expect(terminal(await shop.eventNames())).toEqual([]);
  });

  it('#4 that offer the form a second port are ignored', async () => {
    await shop.form.getByLabel('Card number').waitFor();
    await shop.page.evaluate((pay) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => globalThis.seen.push({ type: 'payment_approved', detail: {} });
      const frame = document.querySelector('iframe')!;
      frame.contentWindow!.postMessage({ t: 'init', v: 1, debug: false }, pay, [port2]);
      port1.postMessage({ t: 'verify', id: 1 });
    }, stand.pay);
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
    expect(terminal(await shop.eventNames())).toEqual([]);
  });
});

describe('the back/forward cache', () => {
  it('#11 restores an empty form that works', async () => {
    await using whole = await launchWholeBrowser();
    const shop = await openCheckout(whole, stand);
    await shop.fill(visa);
    await shop.page.goto(stand.evil);
    await shop.page.goBack({ waitUntil: 'commit' });
    await expect.poll(() => shop.page.evaluate(() => globalThis.florin !== undefined)).toBe(true);
    const ending = await shop.verify();
    expect(ending).toMatchObject({ ok: false, detail: { code: 'invalid_card' } });
    expect(stand.verified).toEqual([]);
  });
});
