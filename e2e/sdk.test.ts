import { ABANDON_GRACE_MS, ABANDONED, type VerifyAnswer } from '@florin/contract/protocol/frame.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { cardOf, terminalOf } from './support/cards.ts';
import { type CheckoutPage, reopenCheckout } from './support/checkout-page.ts';
import { detail, PAYMENT_ID, PUBLISHABLE_KEY } from './support/form-testbed.ts';
import { useTestbed } from './support/use-testbed.ts';

const setup = useTestbed();
const visa = cardOf('visa');

/** Drops readiness events, which may come at any time. */
const dropReadiness = (names: readonly string[]): string[] =>
  names.filter((name) => !/_(changed|ready)$/.test(name));

describe('the events of a payment', () => {
  it.each(['visa_19', 'amex'])('#1 with %s come in order, and one ends it', async (name) => {
    setup.testbed.status = () => ({ status: 'approved', detail });
    const shop = await setup.reopen();
    await shop.fill(cardOf(name));
    expect(await shop.verify()).toMatchObject({ ok: true, type: 'payment_method_verified' });
    expect(await shop.listen()).toMatchObject({ ok: true, type: 'payment_approved' });
    expect(dropReadiness(await shop.eventNames())).toEqual([
      'payment_method_verifying',
      'payment_method_verified',
      'payment_approved',
    ]);
  });

  it('#1 of a subscription end with its own approval, once', async () => {
    const subscriptionDetail = { payment_subscription: PAYMENT_ID };
    setup.testbed.status = () => ({ status: 'approved', detail: subscriptionDetail });
    const shop = await setup.reopen();
    await shop.fill(visa);
    await shop.verify();
    const expectedResult = { ok: true, type: 'subscription_approved', detail: subscriptionDetail };
    expect(await shop.listen()).toEqual(expectedResult);
    expect(await shop.listen()).toEqual(expectedResult);
    expect(terminalOf(await shop.eventNames())).toEqual(['subscription_approved']);
  });

  it('#1 reach a handler until it is removed', async () => {
    const shop = await setup.reopen();
    const handlerCalls = await shop.page.evaluate(async () => {
      let calls = 0;
      const unsubscribe = globalThis.florin.on('payment_method_error', () => calls++);
      await globalThis.florin.verifyPaymentMethod().catch(() => {});
      unsubscribe();
      await globalThis.florin.verifyPaymentMethod().catch(() => {});
      return calls;
    });
    expect(handlerCalls).toBe(1);
  });
});

/** Opens a form whose clock the test moves, in a tab of its own. */
async function openFormWithClock(): Promise<CheckoutPage> {
  const shop = await setup.open();
  await shop.page.clock.install();
  await reopenCheckout(shop);
  return shop;
}

describe('a verification past its time-out', () => {
  it('#8 reports its true outcome if that arrives within the grace period', async () => {
    let respond!: (answer: VerifyAnswer) => void;
    setup.testbed.verify = () => new Promise<VerifyAnswer>((resolve) => (respond = resolve));
    const shop = await setup.reopen();
    await shop.fill(visa);
    const verification = shop.verify(100);
    await expect.poll(() => setup.testbed.abandonRequests.length).toBe(1);
    respond({ result: 'verified', detail });
    expect(await verification).toMatchObject({ ok: true, type: 'payment_method_verified' });
    expect(await shop.eventNames()).not.toContain('payment_timeout');
  });

  it('#8 ends in a timeout after the grace period, and a later approval is not reported', async () => {
    setup.testbed.verify = () => new Promise(() => {});
    setup.testbed.status = () => ({ status: 'approved', detail });
    const shop = await openFormWithClock();
    await shop.fill(visa);
    const verification = shop.verify(100);
    await expect.poll(() => setup.testbed.abandonRequests.length).toBe(1);
    await shop.page.clock.fastForward(ABANDON_GRACE_MS);
    expect(await verification).toMatchObject({ ok: false, type: 'payment_timeout' });
    await shop.page.clock.runFor(1_500);
    expect(dropReadiness(await shop.eventNames())).toEqual([
      'payment_method_verifying',
      'payment_timeout',
    ]);
    setup.testbed.verify = () => ({ result: 'verified', detail });
    expect(await shop.verify()).toMatchObject({ ok: true });
    expect(await shop.listen()).toMatchObject({ ok: true, type: 'payment_approved' });
    expect(terminalOf(await shop.eventNames())).toEqual(['payment_timeout', 'payment_approved']);
  });

  it('#8 is abandoned at the server under its own id, and ends as soon as the server confirms', async () => {
    let respond!: (answer: VerifyAnswer) => void;
    setup.testbed.verify = () => new Promise<VerifyAnswer>((resolve) => (respond = resolve));
    setup.testbed.abandon = () => ({ result: 'failed', detail: { code: ABANDONED } });
    const shop = await setup.reopen();
    await shop.fill(visa);
    expect(await shop.verify(100)).toMatchObject({ ok: false, type: 'payment_timeout' });
    const [firstRequest] = setup.testbed.verifyRequests;
    expect(setup.testbed.abandonRequests).toEqual([
      { session: firstRequest?.session, attempt: firstRequest?.attempt },
    ]);
    respond({ result: 'verified', detail });
    // The abandoned attempt stays abandoned: the next one is new.
    setup.testbed.verify = () => ({ result: 'verified', detail });
    expect(await shop.verify()).toMatchObject({ ok: true });
    expect(setup.testbed.verifyRequests[1]?.attempt).toMatch(/^[\w-]{16,64}$/);
    expect(setup.testbed.verifyRequests[1]?.attempt).not.toBe(firstRequest?.attempt);
    // Events arrive in order: the late answer to the first attempt is not among them.
    expect(dropReadiness(await shop.eventNames())).toEqual([
      'payment_method_verifying',
      'payment_timeout',
      'payment_method_verifying',
      'payment_method_verified',
    ]);
  });

  it('#8 reports the true outcome if the server could not abandon it', async () => {
    setup.testbed.verify = () => new Promise(() => {});
    setup.testbed.abandon = () => ({ result: 'verified', detail });
    const shop = await setup.reopen();
    await shop.fill(visa);
    expect(await shop.verify(100)).toMatchObject({ ok: true, type: 'payment_method_verified' });
    expect(await shop.eventNames()).not.toContain('payment_timeout');
    expect(await shop.verify()).toMatchObject({ ok: true });
    expect(setup.testbed.verifyRequests).toHaveLength(1);
  });

  it('#8 has one outcome however time-out and answer cross', async () => {
    let delayMs = 0;
    setup.testbed.verify = () =>
      new Promise((resolve) =>
        setTimeout(() => resolve({ result: 'failed', detail: { code: 'x' } }), delayMs),
      );
    const shop = await setup.reopen();
    await shop.fill(visa);
    for (delayMs = 20; delayMs < 60; delayMs += 10) {
      await shop.form.locator('#cvv').fill('123');
      const countBefore = (await shop.eventNames()).length;
      expect(await shop.verify(40)).toMatchObject({ ok: false, type: 'payment_method_failed' });
      const names = dropReadiness((await shop.eventNames()).slice(countBefore));
      expect(names).toEqual(['payment_method_verifying', 'payment_method_failed']);
    }
  });
});

describe('a connection', () => {
  it('#9 that fails before the card is sent costs only another press', async () => {
    const shop = await setup.open();
    await shop.fill(visa);
    await shop.page.context().setOffline(true);
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'network' } });
    expect(await shop.form.getByText('Check your connection').isVisible()).toBe(true);
    expect(await shop.form.locator('#cvv').inputValue()).toBe(visa.cvv);
    await shop.page.context().setOffline(false);
    expect(await shop.verify()).toMatchObject({ ok: true });
    expect(setup.testbed.verifyRequests).toHaveLength(1);
  });

  it('#9 that fails after the card was sent is recovered by sending the same card again', async () => {
    setup.testbed.verify = () => 'cut';
    const shop = await setup.reopen();
    await shop.fill(visa);
    expect(await shop.verify()).toMatchObject({ ok: false, detail: { code: 'network' } });
    setup.testbed.verify = () => ({ result: 'verified', detail });
    expect(await shop.verify()).toMatchObject({ ok: true });
    const [firstRequest, ...retries] = setup.testbed.verifyRequests;
    expect(retries.length).toBeGreaterThan(0);
    for (const request of retries) expect(request).toEqual(firstRequest);
  });

  it('#10 that is slow causes no layout shift, with three requests to a usable form', async () => {
    const page = await (await setup.browser.newContext()).newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 200_000,
      uploadThroughput: 100_000,
    });
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:v1|pay)\//.test(pathname)) requests.push(`${request.method()} ${pathname}`);
    });
    await page.goto(setup.testbed.shopUrl);
    await page.evaluate(observeShifts);
    await page.evaluate(
      ([key, id]) => void new globalThis.Florin(key!).mountPaymentForm('form', id!),
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    await page.frameLocator('iframe').locator('#number').waitFor();
    await page.waitForTimeout(300);
    expect(requests).toEqual(['GET /v1/florin.js', `GET /pay/${PAYMENT_ID}`, 'GET /v1/form.js']);
    const layoutShift = await page.evaluate(() => globalThis.layoutShift);
    console.log(`requests to a usable form: ${requests.length}; layout shift: ${layoutShift}`);
    expect(layoutShift).toBeLessThan(0.02);
  });
});

declare global {
  var layoutShift: number;
  var listenerCount: number;
  /** Open message ports, and channels created. */
  var openPorts: number;
  var createdChannels: number;
}

/** Runs in the page: sums layout shifts. */
function observeShifts(): void {
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      globalThis.layoutShift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Counts window listeners and open ports, from before any script of the page. */
async function countListeners(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.listenerCount = globalThis.openPorts = globalThis.createdChannels = 0;
    const countCalls = (owner: object, name: string, onCall: () => void): void => {
      const original = Reflect.get(owner, name);
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        onCall();
        return Reflect.apply(original, this, args);
      });
    };
    countCalls(window, 'addEventListener', () => globalThis.listenerCount++);
    countCalls(window, 'removeEventListener', () => globalThis.listenerCount--);
    countCalls(MessagePort.prototype, 'close', () => globalThis.openPorts--);
    globalThis.MessageChannel = class extends MessageChannel {
      constructor() {
        super();
        globalThis.openPorts++;
        globalThis.createdChannels++;
      }
    };
  });
}

/** Runs in the page: mounts and destroys a form many times; returns the number of settled promises. */
async function mountOften({ key, id, times }: { key: string; id: string; times: number }) {
  let destroyedCount = 0;
  for (let turn = 0; turn < times; turn++) {
    const florin = new globalThis.Florin(key);
    florin.mountPaymentForm('form', id);
    florin.verifyPaymentMethod().catch((error) => {
      destroyedCount += error.type === 'destroyed' ? 1 : 0;
    });
    florin.destroy();
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  return destroyedCount;
}

const readLeftovers = (page: Page) =>
  page.evaluate(() => ({
    frames: document.querySelectorAll('iframe').length + window.length,
    listenerCount: globalThis.listenerCount,
    openPorts: globalThis.openPorts,
  }));

const MOUNTS = 100;
const HEAP_GROWTH_MAX = 500_000;

/** Bytes of the page's heap after garbage collection. */
async function measureHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.enable');
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  } finally {
    await session.detach();
  }
}

describe('a page that mounts the form', () => {
  it('gets the frame at once, to place it freely', async () => {
    const shop = await setup.reopen();
    const placement = await shop.page.evaluate((id) => {
      const frame = globalThis.florin.mountPaymentForm('form', id);
      frame.style.maxWidth = '300px';
      return [frame instanceof HTMLIFrameElement, frame.parentElement?.id, frame.offsetWidth];
    }, PAYMENT_ID);
    expect(placement).toEqual([true, 'form', 300]);
  });

  it('#12 and unmounts it a hundred times leaks nothing', { timeout: 240_000 }, async () => {
    const page = await (await setup.browser.newContext()).newPage();
    await countListeners(page);
    await page.goto(setup.testbed.shopUrl);
    // The browser's own caches from the first rounds are no leak.
    await page.evaluate(mountOften, { key: PUBLISHABLE_KEY, id: PAYMENT_ID, times: 20 });
    const bytesBefore = await measureHeap(page);
    const destroyedCount = await page.evaluate(mountOften, {
      key: PUBLISHABLE_KEY,
      id: PAYMENT_ID,
      times: MOUNTS,
    });
    const grownBytes = (await measureHeap(page)) - bytesBefore;
    expect([destroyedCount, await readLeftovers(page)]).toEqual([
      MOUNTS,
      { frames: 0, listenerCount: 0, openPorts: 0 },
    ]);
    expect(grownBytes).toBeLessThan(HEAP_GROWTH_MAX);
  });

  it('#12 and unmounts it when it has connected closes its port', async () => {
    const page = await (await setup.browser.newContext()).newPage();
    await countListeners(page);
    await page.goto(setup.testbed.shopUrl);
    for (let turn = 0; turn < 5; turn++) {
      await page.evaluate(
        async ([key, id]) => {
          const florin = new globalThis.Florin(key!);
          const connection = new Promise((resolve) => florin.on('payment_method_changed', resolve));
          florin.mountPaymentForm('form', id!);
          await connection;
          florin.destroy();
        },
        [PUBLISHABLE_KEY, PAYMENT_ID],
      );
    }
    expect(await readLeftovers(page)).toEqual({ frames: 0, listenerCount: 0, openPorts: 0 });
    expect(await page.evaluate(() => globalThis.createdChannels)).toBe(5);
  });

  it('#13 twice, as frameworks do to find missing clean-up, has one form that works', async () => {
    const shop = await setup.reopen();
    await shop.page.evaluate(
      ([key, id]) => {
        const effect = () => {
          const florin = new globalThis.Florin(key!);
          florin.on('payment_method_verified', () =>
            globalThis.recordedEvents.push({ type: 'payment_approved', detail: {} }),
          );
          florin.mountPaymentForm('form', id!);
          globalThis.florin = florin;
          return () => florin.destroy();
        };
        globalThis.florin.destroy();
        effect()();
        effect();
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    expect(await shop.page.locator('iframe').count()).toBe(1);
    await shop.fill(visa);
    expect(await shop.verify()).toMatchObject({ ok: true });
    expect(terminalOf(await shop.eventNames())).toHaveLength(1);
  });

  it('#13 for two clients keeps their events apart', async () => {
    const shop = await setup.open();
    await shop.fill(visa);
    const otherClientEvents = await shop.page.evaluate(
      async ([key, id]) => {
        const florin = new globalThis.Florin(key!);
        const names: string[] = [];
        florin.on('payment_method_verified', ({ type }) => names.push(type));
        florin.mountPaymentForm('other', id!);
        await new Promise<void>((resolve) => florin.on('payment_method_changed', () => resolve()));
        await globalThis.florin.verifyPaymentMethod();
        return names;
      },
      [PUBLISHABLE_KEY, PAYMENT_ID],
    );
    expect(otherClientEvents).toEqual([]);
    expect(await shop.page.locator('iframe').count()).toBe(2);
    expect(await shop.eventNames()).toContain('payment_method_verified');
  });
});
