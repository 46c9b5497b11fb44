import { beforeEach, describe, expect, it } from 'vitest';
import { launchWholeBrowser } from './support/browser.ts';
import { cardOf, terminalOf } from './support/cards.ts';
import { type CheckoutPage, openCheckout } from './support/checkout-page.ts';
import { detail, PAYMENT_ID, PUBLISHABLE_KEY } from './support/form-testbed.ts';
import { useTestbed } from './support/use-testbed.ts';

const setup = useTestbed();
/** Time that a frame has to answer; the SDK's. */
const HELLO_GRACE_MS = 2_000;
const visa = { number: cardOf('visa').number };

describe('mounting', () => {
  let shop: CheckoutPage;
  beforeEach(async () => {
    shop = await setup.reopen();
  });

  it('#13 twice leaves one working frame', async () => {
    await shop.page.evaluate((id) => {
      globalThis.florin.mountPaymentForm('form', id);
      globalThis.florin.mountPaymentForm('form', id);
    }, PAYMENT_ID);
    expect(await shop.page.locator('iframe').count()).toBe(1);
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
  });

  it('puts every option into the address, and elsewhere moves the form', async () => {
    const address = await shop.page.locator('iframe').getAttribute('src');
    expect(address).toContain('applePay=false&googlePay=false');
    expect(address).not.toContain('undefined');
    await shop.page.evaluate((id) => globalThis.florin.mountPaymentForm('other', id), PAYMENT_ID);
    expect(await shop.page.locator('#form iframe').count()).toBe(0);
    expect(await shop.page.locator('#other iframe').count()).toBe(1);
  });

  it('into an element that does not exist throws and names it', async () => {
    const mounting = shop.page.evaluate(
      (id) => void globalThis.florin.mountPaymentForm('nowhere', id),
      PAYMENT_ID,
    );
    await expect(mounting).rejects.toThrow('there is no element with the id "nowhere"');
  });

  it('of an unknown payment shows a page that names the problem, and verification fails at once', async () => {
    const shop = await setup.open();
    await shop.page.clock.install();
    await shop.page.evaluate(
      (id) => void globalThis.florin.mountPaymentForm('form', id),
      PAYMENT_ID.replace('1', '2'),
    );
    expect(await shop.form.getByRole('heading').textContent()).toBe(
      'The payment form cannot be shown',
    );
    await shop.page.clock.fastForward(HELLO_GRACE_MS);
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'form_unavailable' } });
    expect(shop.consoleErrors.join()).toContain('Is this origin among the `origins` of the key?');
  });

  it('of a payment without a processor shows a notice without fields, and every caller gets the code', async () => {
    setup.testbed.isClosed = true;
    const key = PUBLISHABLE_KEY.replace('sandbox', 'live');
    const closedShop = await setup.reopen({ key });
    expect(await closedShop.form.getByRole('heading').textContent()).toBe(
      'Card payments are not set up here yet',
    );
    expect(await closedShop.form.locator('input').count()).toBe(0);
    const noticeDetail = {
      code: 'no_processor',
      message: expect.stringContaining('use a sandbox key'),
    };
    const refusal = { ok: false, type: 'payment_method_error', detail: noticeDetail };
    expect(await closedShop.verify()).toMatchObject(refusal);
    expect(await closedShop.listen()).toMatchObject({
      ok: false,
      type: 'payment_failed',
      detail: noticeDetail,
    });
    const [firstEvent] = await closedShop.events();
    expect(firstEvent).toMatchObject({ type: 'payment_method_error', detail: noticeDetail });
    const { height } = (await closedShop.page.locator('iframe').boundingBox()) ?? {};
    expect(height).toBeLessThan(197);
    expect(closedShop.consoleErrors.join()).toMatch(/Florin: no_processor\. .*use a sandbox key/);
  });

  it('#5 by a page of an unregistered origin is refused by the browser', async () => {
    const { page } = await setup.open();
    setup.testbed.origins = [setup.testbed.shopUrl];
    const url = `${setup.testbed.payUrl}/pay/${PAYMENT_ID}`;
    for (const [origin, fields] of [
      [setup.testbed.shopUrl, 3],
      [setup.testbed.evilUrl, 0],
    ] as const) {
      await page.goto(origin);
      const frameLoad = page.evaluate((src) => {
        const frame = document.createElement('iframe');
        const load = new Promise((resolve) => frame.addEventListener('load', resolve));
        frame.src = src;
        document.body.append(frame);
        return load.then(() => {});
      }, url);
      await frameLoad;
      expect(await page.frameLocator('iframe').locator('input').count()).toBe(fields);
    }
  });
});

describe('messages', () => {
  it('#4 from anything but the form are ignored', async () => {
    const shop = await setup.open();
    await shop.form.getByLabel('Card number').waitFor();
    await shop.page.evaluate(() => {
      const forgedMessage = { t: 'event', name: 'payment_approved', detail: {} };
      window.postMessage(forgedMessage, '*');
      window.postMessage('florin:hello', '*');
      const sibling = document.createElement('iframe');
      document.body.append(sibling);
      for (const data of ['florin:hello', forgedMessage]) {
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
    expect(terminalOf(await shop.eventNames())).toEqual([]);
  });

  it('#4 that offer the form a second port are ignored', async () => {
    const shop = await setup.open();
    await shop.form.getByLabel('Card number').waitFor();
    await shop.page.evaluate((pay) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () =>
        globalThis.recordedEvents.push({ type: 'payment_approved', detail: {} });
      const frame = document.querySelector('iframe')!;
      frame.contentWindow!.postMessage({ t: 'init', v: 1, debug: false }, pay, [port2]);
      port1.postMessage({ t: 'verify', id: 1 });
    }, setup.testbed.payUrl);
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
    expect(terminalOf(await shop.eventNames())).toEqual([]);
  });
});

describe('the back/forward cache', () => {
  it('#11 restores a page that was left, also during a verification, with an empty, usable form', async () => {
    await using wholeBrowser = await launchWholeBrowser();
    const idleShop = await openCheckout(wholeBrowser, setup.testbed);
    await idleShop.fill(visa);
    await idleShop.page.goto(setup.testbed.evilUrl);
    await idleShop.page.goBack({ waitUntil: 'commit' });
    await expect
      .poll(() => idleShop.page.evaluate(() => globalThis.florin !== undefined))
      .toBe(true);
    expect(await idleShop.verify()).toMatchObject({ ok: false, detail: { code: 'invalid_card' } });
    expect(setup.testbed.verifyRequests).toEqual([]);
    setup.testbed.verify = () => new Promise(() => {});
    const shop = await openCheckout(wholeBrowser, setup.testbed);
    await shop.fill(visa);
    const verification = shop.verify().catch(() => undefined);
    await expect.poll(() => setup.testbed.verifyRequests.length).toBe(1);
    await shop.page.goto(setup.testbed.evilUrl);
    await verification;
    await shop.page.goBack({ waitUntil: 'commit' });
    setup.testbed.verify = () => ({ result: 'verified', detail });
    // A restored page has an empty form; a page loaded again starts over.
    await expect.poll(() => shop.page.evaluate(() => typeof globalThis.Florin)).toBe('function');
    await shop.page.evaluate(
      ([key, id]) => {
        globalThis.florin ??= new globalThis.Florin(key!);
        if (!document.querySelector('iframe')) globalThis.florin.mountPaymentForm('form', id!);
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    const verify = () =>
      shop.page.evaluate(() =>
        globalThis.florin.verifyPaymentMethod().catch((error) => error.detail.code as string),
      );
    // A verification interrupted by leaving may still have to end; then the form is empty.
    expect(['network', 'invalid_card']).toContain(await verify());
    await expect.poll(verify).toBe('invalid_card');
    expect(setup.testbed.verifyRequests).toHaveLength(1);
  });
});
