import { POLICY_REPORT_URL } from '@florin/server/http/pages/form-headers.ts';
import { describe, expect, it } from 'vitest';
import { cardOf, terminalOf } from './support/cards.ts';
import { PAYMENT_ID, PUBLISHABLE_KEY } from './support/form-testbed.ts';
import { useTestbed } from './support/use-testbed.ts';

const setup = useTestbed();
const visa = cardOf('visa');

declare global {
  var recordedTexts: string[];
  /** Forged messages that went to a frame. */
  var forgedCount: number | undefined;
}

/** Enough forged messages that one arrives between any two steps of the form. */
const FORGED_COUNT_MIN = 20;

describe('a compromised shop page', () => {
  it('#3 sees no card number, whichever built-ins it replaces', async () => {
    const page = await (await setup.browser.newContext()).newPage();
    await page.addInitScript(() => {
      // Only the shop's page records messages, not the form's frame.
      if (window.parent !== window) return;
      globalThis.recordedTexts = [];
      const record = (...values: unknown[]) => {
        for (const value of values) {
          try {
            globalThis.recordedTexts.push(
              typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
            );
          } catch {
            // Some objects cannot be serialised.
          }
        }
      };
      const spy = (owner: object, name: string) => {
        const original = Reflect.get(owner, name);
        Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
          record(...args);
          return Reflect.apply(original, this, args);
        });
      };
      for (const name of ['fetch', 'postMessage']) spy(window, name);
      for (const owner of [MessagePort.prototype, Promise.prototype, JSON, Array.prototype]) {
        for (const name of ['postMessage', 'then', 'parse', 'stringify', 'push'])
          if (name !== 'stringify' && name !== 'push' && name in owner) spy(owner, name);
      }
      for (const kind of ['message', 'keydown', 'keyup', 'input', 'paste', 'focus']) {
        window.addEventListener(
          kind,
          (event) => record((event as MessageEvent).data, (event as KeyboardEvent).key),
          true,
        );
      }
      const onMessage = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')!;
      Object.defineProperty(MessagePort.prototype, 'onmessage', {
        ...onMessage,
        set(handler) {
          onMessage.set!.call(this, (event: MessageEvent) => {
            record(event.data);
            handler(event);
          });
        },
      });
    });
    await page.goto(setup.testbed.shopUrl);
    await page.evaluate(
      ([key, id]) => {
        globalThis.florin = new globalThis.Florin(key!);
        globalThis.florin.mountPaymentForm('form', id!);
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    const form = page.frameLocator('iframe');
    await form.locator('#number').pressSequentially(visa.number);
    await form.locator('#expiry').pressSequentially('12/39');
    await form.locator('#cvv').pressSequentially('907');
    await page.evaluate(() => globalThis.florin.verifyPaymentMethod());
    const recordedTexts = (await page.evaluate(() => globalThis.recordedTexts)).join('\n');
    expect(recordedTexts).toContain('payment_method_verified');
    expect(recordedTexts.replace(/\D/g, '')).not.toContain(visa.number);
    expect(recordedTexts).not.toMatch(/\b907\b/);
  });

  it('#4 cannot fool the form or the page with ten thousand messages', async () => {
    const shop = await setup.open();
    await shop.form.locator('#number').waitFor();
    await shop.page.evaluate((pay) => {
      const frame = document.querySelector('iframe')!;
      const forgedMessage = { t: 'event', name: 'payment_approved', detail: {} };
      for (let turn = 0; turn < 5_000; turn++) {
        frame.contentWindow!.postMessage({ t: 'verify', id: turn }, pay);
        window.postMessage(turn % 2 ? forgedMessage : 'florin:hello', '*');
      }
    }, setup.testbed.payUrl);
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
    expect(terminalOf(await shop.eventNames())).toEqual([]);
    expect(setup.testbed.verifyRequests).toHaveLength(1);
  });

  it('#4 cannot take the form over from the window that opened it', async () => {
    const shop = await setup.open();
    const opener = await shop.page.context().newPage();
    await opener.goto(setup.testbed.evilUrl);
    const [popup] = await Promise.all([
      opener.waitForEvent('popup'),
      opener.evaluate((url) => {
        const shopWindow = window.open(url)!;
        setInterval(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () =>
            globalThis.recordedEvents.push({ type: 'payment_approved', detail: {} });
          globalThis.recordedEvents ??= [];
          if (shopWindow.frames[0]) globalThis.forgedCount = (globalThis.forgedCount ?? 0) + 1;
          shopWindow.frames[0]?.postMessage({ t: 'init', v: 1, debug: false }, '*', [port2]);
        }, 5);
      }, setup.testbed.shopUrl),
    ]);
    await popup.waitForFunction(
      () => document.readyState !== 'loading' && typeof globalThis.Florin === 'function',
    );
    await popup.evaluate(
      ([key, id]) => {
        globalThis.florin = new globalThis.Florin(key!);
        globalThis.florin.mountPaymentForm('form', id!);
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    await popup.frameLocator('iframe').locator('#number').waitFor();
    const countBefore = await opener.evaluate(() => globalThis.forgedCount ?? 0);
    await opener.waitForFunction(
      (minimum) => (globalThis.forgedCount ?? 0) > minimum,
      countBefore + FORGED_COUNT_MIN,
    );
    const code = await popup.evaluate(() =>
      globalThis.florin.verifyPaymentMethod().catch((error) => error.detail.code as string),
    );
    expect(code).toBe('invalid_card');
    expect(await opener.evaluate(() => globalThis.recordedEvents ?? [])).toEqual([]);
  });

  it.each([
    ['shop', 'form is usable', 'invalid_card'],
    ['evil', 'form is refused', 'form_unavailable'],
  ] as const)('#5 in a frame of the origin %s: its %s', async (site, _what, code) => {
    setup.testbed.origins = [setup.testbed.shopUrl];
    const page = await (await setup.browser.newContext()).newPage();
    await page.goto(`${setup.testbed[`${site}Url` as const]}/around`);
    const shop = page.frames()[1]!;
    await shop.waitForFunction(() => typeof globalThis.Florin === 'function');
    const outcomeCode = await shop.evaluate(
      ([key, id]) => {
        const florin = new globalThis.Florin(key!);
        florin.mountPaymentForm('form', id!);
        return florin.verifyPaymentMethod().catch((error) => error.detail.code as string);
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    expect(outcomeCode).toBe(code);
  });
});

describe('a shop under the strictest policies', () => {
  it('#18 shows and uses the form without one report', async () => {
    const page = await (await setup.browser.newContext()).newPage();
    const violations: string[] = [];
    await page.exposeFunction('violated', (violation: string) => violations.push(violation));
    await page.addInitScript(() => {
      const report = Reflect.get(window, 'violated') as (violation: string) => void;
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        report?.(`${violatedDirective} ${blockedURI}`),
      );
    });
    const consoleErrors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text());
    });
    await page.goto(setup.testbed.shopUrl);
    await page.evaluate(
      ([key, id]) => {
        globalThis.florin = new globalThis.Florin(key!, { appearance: { accent: '#7a1fa2' } });
        globalThis.florin.mountPaymentForm('form', id!);
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    const form = page.frameLocator('iframe');
    await form.locator('#number').pressSequentially(visa.number);
    await form.locator('#expiry').pressSequentially('12/39');
    await form.locator('#cvv').pressSequentially('123');
    await page.evaluate(() => globalThis.florin.verifyPaymentMethod());
    expect([violations, consoleErrors]).toEqual([[], []]);
    expect(setup.testbed.requests).not.toContain(`POST ${POLICY_REPORT_URL}`);
    // The listener reports violations, such as this element.
    await page.evaluate(() => document.body.append(document.createElement('style')));
    await page.evaluate(() => {
      document.body.setAttribute('style', 'color: red');
    });
    await expect.poll(() => violations.length).toBeGreaterThan(0);
  });

  it('#19 that pins the SDK runs it, and runs no other', async () => {
    setup.testbed.pinnedIntegrity = setup.testbed.integrity;
    const page = await (await setup.browser.newContext()).newPage();
    await page.goto(setup.testbed.shopUrl);
    expect(await page.evaluate(() => typeof globalThis.Florin)).toBe('function');
    setup.testbed.scriptOverrides.set('/v1/florin.js', 'globalThis.Florin = class Evil {}');
    await page.goto(setup.testbed.shopUrl);
    expect(await page.evaluate(() => typeof globalThis.Florin)).toBe('undefined');
  });

  it('#19 gets no form from a modified script', async () => {
    setup.testbed.scriptOverrides.set(
      '/v1/form.js',
      'document.body.textContent = "Enter your card"',
    );
    const shop = await setup.open();
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'form_unavailable' } });
    expect(await shop.form.locator('body').textContent()).not.toContain('Enter your card');
  });
});
