import { POLICY_REPORT_URL } from '@florin/server/http/pages/form-headers.ts';
import { describe, expect, it } from 'vitest';
import { cardOf, terminalOf } from './support/cards.ts';
import { PAYMENT_ID, PUBLISHABLE_KEY } from './support/form-stand.ts';
import { useStand } from './support/use-stand.ts';

const use = useStand();
const visa = cardOf('visa');

declare global {
  var heard: string[];
  /** Forged messages that went to a frame. */
  var sent: number | undefined;
}

/** So many that one comes between any two steps of the form. */
const FORGED_MIN = 20;

describe('a compromised shop page', () => {
  it('#3 sees no card number, whichever built-ins it replaces', async () => {
    const page = await (await use.browser.newContext()).newPage();
    await page.addInitScript(() => {
      // Only the shop's page records messages, not the form's frame.
      if (window.parent !== window) return;
      globalThis.heard = [];
      const hear = (...things: unknown[]) => {
        for (const thing of things) {
          try {
            globalThis.heard.push(
              typeof thing === 'string' ? thing : (JSON.stringify(thing) ?? ''),
            );
          } catch {
            // Some objects cannot be serialised.
          }
        }
      };
      const spy = (owner: object, name: string) => {
        const original = Reflect.get(owner, name);
        Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
          hear(...args);
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
          (event) => hear((event as MessageEvent).data, (event as KeyboardEvent).key),
          true,
        );
      }
      const port = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage')!;
      Object.defineProperty(MessagePort.prototype, 'onmessage', {
        ...port,
        set(handler) {
          port.set!.call(this, (event: MessageEvent) => {
            hear(event.data);
            handler(event);
          });
        },
      });
    });
    await page.goto(use.stand.shop);
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
    const heard = (await page.evaluate(() => globalThis.heard)).join('\n');
    expect(heard).toContain('payment_method_verified');
    expect(heard.replace(/\D/g, '')).not.toContain(visa.number);
    expect(heard).not.toMatch(/\b907\b/);
  });

  it('#4 cannot fool the form or the page with ten thousand messages', async () => {
    const shop = await use.open();
    await shop.form.locator('#number').waitFor();
    await shop.page.evaluate((pay) => {
      const frame = document.querySelector('iframe')!;
      const forged = { t: 'event', name: 'payment_approved', detail: {} };
      for (let turn = 0; turn < 5_000; turn++) {
        frame.contentWindow!.postMessage({ t: 'verify', id: turn }, pay);
        window.postMessage(turn % 2 ? forged : 'florin:hello', '*');
      }
    }, use.stand.pay);
    await shop.fill(visa);
    expect((await shop.verify()).ok).toBe(true);
    expect(terminalOf(await shop.eventNames())).toEqual([]);
    expect(use.stand.verified).toHaveLength(1);
  });

  it('#4 cannot take the form over from the window that opened it', async () => {
    const shop = await use.open();
    const opener = await shop.page.context().newPage();
    await opener.goto(use.stand.evil);
    const [popup] = await Promise.all([
      opener.waitForEvent('popup'),
      opener.evaluate((url) => {
        const child = window.open(url)!;
        setInterval(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => globalThis.seen.push({ type: 'payment_approved', detail: {} });
          globalThis.seen ??= [];
          if (child.frames[0]) globalThis.sent = (globalThis.sent ?? 0) + 1;
          child.frames[0]?.postMessage({ t: 'init', v: 1, debug: false }, '*', [port2]);
        }, 5);
      }, use.stand.shop),
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
    const before = await opener.evaluate(() => globalThis.sent ?? 0);
    await opener.waitForFunction((least) => (globalThis.sent ?? 0) > least, before + FORGED_MIN);
    const code = await popup.evaluate(() =>
      globalThis.florin.verifyPaymentMethod().catch((error) => error.detail.code as string),
    );
    expect(code).toBe('invalid_card');
    expect(await opener.evaluate(() => globalThis.seen ?? [])).toEqual([]);
  });

  it.each([
    ['shop', 'form is usable', 'invalid_card'],
    ['evil', 'form is refused', 'form_unavailable'],
  ] as const)('#5 in a frame of the origin %s: its %s', async (around, _what, code) => {
    use.stand.origins = [use.stand.shop];
    const page = await (await use.browser.newContext()).newPage();
    await page.goto(`${use.stand[around]}/around`);
    const shop = page.frames()[1]!;
    await shop.waitForFunction(() => typeof globalThis.Florin === 'function');
    const ended = await shop.evaluate(
      ([key, id]) => {
        const florin = new globalThis.Florin(key!);
        florin.mountPaymentForm('form', id!);
        return florin.verifyPaymentMethod().catch((error) => error.detail.code as string);
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    expect(ended).toBe(code);
  });
});

describe('a shop under the strictest policies', () => {
  it('#18 shows and uses the form without one report', async () => {
    const page = await (await use.browser.newContext()).newPage();
    const violations: string[] = [];
    await page.exposeFunction('violated', (what: string) => violations.push(what));
    await page.addInitScript(() => {
      const report = Reflect.get(window, 'violated') as (what: string) => void;
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        report?.(`${violatedDirective} ${blockedURI}`),
      );
    });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(use.stand.shop);
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
    expect([violations, complaints]).toEqual([[], []]);
    expect(use.stand.requests).not.toContain(`POST ${POLICY_REPORT_URL}`);
    // The listener reports violations, such as this element.
    await page.evaluate(() => document.body.append(document.createElement('style')));
    await page.evaluate(() => {
      document.body.setAttribute('style', 'color: red');
    });
    await expect.poll(() => violations.length).toBeGreaterThan(0);
  });

  it('#19 that pins the SDK runs it, and runs no other', async () => {
    use.stand.pin = use.stand.integrity;
    const page = await (await use.browser.newContext()).newPage();
    await page.goto(use.stand.shop);
    expect(await page.evaluate(() => typeof globalThis.Florin)).toBe('function');
    use.stand.altered.set('/v1/florin.js', 'globalThis.Florin = class Evil {}');
    await page.goto(use.stand.shop);
    expect(await page.evaluate(() => typeof globalThis.Florin)).toBe('undefined');
  });

  it('#19 gets no form from a modified script', async () => {
    use.stand.altered.set('/v1/form.js', 'document.body.textContent = "Enter your card"');
    const shop = await use.open();
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'form_unavailable' } });
    expect(await shop.form.locator('body').textContent()).not.toContain('Enter your card');
  });
});
