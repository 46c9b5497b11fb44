import { compactDecrypt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardOf, terminalOf } from './support/cards.ts';
import type { CheckoutPage } from './support/checkout-page.ts';
import { detail, PAYMENT_ID } from './support/form-testbed.ts';
import { typeCard } from './support/type-card.ts';
import { useTestbed } from './support/use-testbed.ts';

const setup = useTestbed();
const visa = { number: cardOf('visa').number };

let shop: CheckoutPage;
beforeEach(async () => {
  shop = await setup.reopen();
});

describe('a mounted form', () => {
  it('sizes its frame to its content', async () => {
    const frame = shop.page.locator('#form iframe');
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(150);
    const heightBefore = (await frame.boundingBox())!.height;
    await shop.verify();
    await expect
      .poll(async () => (await frame.boundingBox())!.height)
      .toBeGreaterThan(heightBefore);
  });

  it('#3 is named for screen readers, and cannot be read by the surrounding page', async () => {
    expect(await shop.form.getByRole('heading').textContent()).toBe('Pay $24.99 by card');
    expect(await shop.page.locator('iframe').getAttribute('title')).toBe('Card details');
    const errorName = await shop.page.evaluate(() => {
      const frame = document.querySelector('iframe')!;
      try {
        return frame.contentDocument ?? frame.contentWindow!.document;
      } catch (error) {
        return (error as Error).name;
      }
    });
    expect(errorName).toBe('SecurityError');
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
    await shop.page.evaluate(() => document.body.removeAttribute('style'));
    expect(await root.evaluate((node) => getComputedStyle(node).colorScheme)).toBe(scheme);
  });

  it('#24 is filled, read and left by keyboard alone', async () => {
    const { page } = shop;
    await shop.form.getByLabel('Card number').waitFor();
    await page.locator('#before').focus();
    await typeCard(shop, { ...visa, cvv: '123' });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('after');
    await expect.poll(async () => (await shop.events()).at(-1)?.detail.ready).toBe(true);
  });

  it('#2 reports a typed card under both names of the event, and never shows it to the page', async () => {
    await shop.type(visa);
    const readinessOf = async (name: string) =>
      (await shop.events())
        .filter(({ type }) => type === name)
        .map(({ detail: { ready, brand } }) => [ready, brand]);
    for (const name of ['payment_method_changed', 'payment_method_ready']) {
      await expect
        .poll(() => readinessOf(name))
        .toEqual([
          [false, 'unknown'],
          [false, 'visa'],
          [true, 'visa'],
        ]);
    }
    await shop.verify();
    const eventsText = JSON.stringify(await shop.events());
    expect(eventsText).not.toContain(visa.number);
    expect(await shop.page.content()).not.toContain(visa.number);
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

describe('Enter in a card field', () => {
  /** Puts a form of the shop around the card form, presses Enter in two fields, and counts submissions. */
  const surroundWithForm = async (
    button: 'enabled' | 'disabled' | 'missing',
  ): Promise<() => Promise<number>> => {
    await shop.page.evaluate(
      ({ id, button }) => {
        const form = document.createElement('form');
        const place = document.createElement('div');
        place.id = 'place';
        const other = document.createElement('button');
        other.type = 'button';
        const pay = document.createElement('button');
        pay.disabled = button === 'disabled';
        form.append(place, other, ...(button === 'missing' ? [] : [pay]));
        document.querySelector('#form')!.replaceChildren(form);
        form.dataset.count = '0';
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          form.dataset.count = String(Number(form.dataset.count) + 1);
        });
        globalThis.florin.mountPaymentForm('place', id);
      },
      { id: PAYMENT_ID, button },
    );
    await shop.form.locator('#number').press('Enter');
    await shop.form.locator('#cvv').press('Enter');
    return () => shop.page.locator('form').evaluate((form) => Number(form.dataset.count));
  };
  afterEach(() => shop.page.evaluate(() => document.querySelector('#form')!.replaceChildren()));

  it('presses the default button of the form around the card form', async () => {
    const count = await surroundWithForm('enabled');
    await expect.poll(count).toBe(2);
  });

  it.each([
    ['is disabled', 'disabled'],
    ['does not exist', 'missing'],
  ] as const)('does nothing if that button %s', async (_what, button) => {
    const count = await surroundWithForm(button);
    // A message of the form that comes later than those of Enter.
    await shop.form.locator('#cvv').fill('123');
    await expect.poll(async () => (await shop.events()).length).toBeGreaterThan(0);
    expect(await count()).toBe(0);
  });
});

describe('verification', () => {
  it('#18 sends a card that only the holder of the key can read, without policy violations', async () => {
    await shop.fill(visa);
    expect(await shop.verify()).toEqual({ ok: true, type: 'payment_method_verified', detail });
    const [body] = setup.testbed.verifyRequests;
    expect(JSON.stringify(body)).not.toContain(visa.number);
    const { plaintext } = await compactDecrypt(body!.pan_jwe, setup.testbed.privateKey);
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toMatchObject({
      pan: visa.number,
      expiry_month: 12,
      expiry_year: 2039,
    });
    expect((await shop.eventNames()).slice(-2)).toEqual([
      'payment_method_verifying',
      'payment_method_verified',
    ]);
    expect(shop.consoleErrors).toEqual([]);
  });

  it('#7 is shared by concurrent calls, and stays answered until the card is edited', async () => {
    await shop.fill(visa);
    const isSamePromise = await shop.page.evaluate(async () => {
      const [a, b] = [
        globalThis.florin.verifyPaymentMethod(),
        globalThis.florin.verifyPaymentMethod(),
      ];
      await a;
      return a === b;
    });
    expect(isSamePromise).toBe(true);
    expect((await shop.verify()).ok).toBe(true);
    expect(setup.testbed.verifyRequests).toHaveLength(1);
    await shop.form.getByLabel('Security code').pressSequentially('321');
    await shop.verify();
    expect(setup.testbed.verifyRequests).toHaveLength(2);
  });

  it.each([
    ['failed', 'payment_method_failed'],
    ['error', 'payment_method_error'],
  ] as const)(
    'rejects when it %s, with the reason, and clears the verification value',
    async (result, type) => {
      const errorDetail = {
        code: 'authentication_failed',
        message: 'Your bank did not approve this card.',
      };
      setup.testbed.verify = () => ({ result, detail: errorDetail });
      await shop.fill(visa);
      expect(await shop.verify()).toEqual({ ok: false, type, detail: errorDetail });
      expect(await shop.eventNames()).toContain(type);
      expect(await shop.form.getByText(errorDetail.message).isVisible()).toBe(true);
      expect(await shop.form.getByLabel('Security code').inputValue()).toBe('');
      expect((await shop.events()).at(-1)?.detail.ready).toBe(false);
    },
  );

  it('of an incomplete card sends nothing and focuses the first problem', async () => {
    const result = await shop.verify();
    expect(result).toMatchObject({
      ok: false,
      type: 'payment_method_error',
      detail: { code: 'invalid_card' },
    });
    expect(setup.testbed.verifyRequests).toEqual([]);
    expect(
      await shop.form.locator('#number').evaluate((node) => node === document.activeElement),
    ).toBe(true);
    expect(await shop.form.getByText('Enter the card number.').isVisible()).toBe(true);
  });

  it('#9 without an answer keeps the card and sends the same one again', async () => {
    setup.testbed.verify = () => 503;
    await shop.fill(visa);
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'network' } });
    setup.testbed.verify = () => ({ result: 'verified', detail });
    expect((await shop.verify()).ok).toBe(true);
    const [firstRequest, secondRequest] = setup.testbed.verifyRequests;
    expect(secondRequest).toEqual(firstRequest);
  });

  it('#12 is rejected when the form is destroyed, and the frame is removed', async () => {
    setup.testbed.verify = () => new Promise(() => {});
    await shop.fill(visa);
    const verification = shop.verify();
    await expect.poll(() => setup.testbed.verifyRequests.length).toBe(1);
    await shop.page.evaluate(() => globalThis.florin.destroy());
    expect(await verification).toMatchObject({ ok: false, type: 'destroyed' });
    expect(await shop.page.locator('iframe').count()).toBe(0);
  });
});

describe('the payment', () => {
  it('#1 is approved once', async () => {
    await shop.fill(visa);
    await shop.verify();
    const approval = shop.listen();
    setup.testbed.status = () => ({ status: 'approved', detail });
    expect(await approval).toEqual({ ok: true, type: 'payment_approved', detail });
    expect(await shop.listen()).toEqual(await approval);
    expect(terminalOf(await shop.eventNames())).toEqual(['payment_approved']);
  });

  it('fails, and succeeds with another card in the same form', async () => {
    const declinedDetail = {
      ...detail,
      code: 'insufficient_funds',
      message: 'The card has insufficient funds.',
    };
    setup.testbed.status = () => ({ status: 'failed', detail: declinedDetail });
    await shop.fill(visa);
    await shop.verify();
    expect(await shop.listen()).toEqual({
      ok: false,
      type: 'payment_failed',
      detail: declinedDetail,
    });
    setup.testbed.status = () => ({ status: 'approved', detail });
    await shop.form.getByLabel('Security code').pressSequentially('321');
    await shop.verify();
    expect(await shop.listen()).toMatchObject({ ok: true, type: 'payment_approved' });
    expect(terminalOf(await shop.eventNames())).toEqual(['payment_failed', 'payment_approved']);
  });
});
